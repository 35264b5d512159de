// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The demo", .timeLimit(.minutes(2)))
struct DemoTests {
    @Test("everything goes as its script has it, with the ports and the pipeline of the checkout")
    func once() async throws {
        try await withFolder { folder in
            let pipelines = folder.appending(path: "pipelines")
            try FileManager.default.createDirectory(at: pipelines, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: checkout.appending(path: "pipelines/demo.yaml"),
                to: pipelines.appending(path: "demo.yaml")
            )
            let result = try busd("demo", "--once", in: folder)
            #expect(result.status == 0, "\(result.output)\n\(result.error)")
            for line in [
                "SENT over apns", "SENT over fcm", "SENT over sms_gateway", "the bank is called: pushIsOpened",
            ] {
                #expect(result.output.contains(line), "\(line) is not in:\n\(result.output)")
            }
            #expect(!(result.output + result.error).contains("4711"), "the code is on the console")
        }
    }
}
