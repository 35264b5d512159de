// SPDX-License-Identifier: Apache-2.0

import Foundation
import Sandbox
import Testing

/// The stand-in as a client that knows nothing of this project sees it.
@Suite(.timeLimit(.minutes(1)))
struct StrangerTests {
    /// Runs curl and returns what it printed; waits without holding a thread of the pool.
    private func curl(_ arguments: [String]) async throws -> String {
        let output = FileManager.default.temporaryDirectory.appending(path: "curl-\(UUID())")
        #expect(FileManager.default.createFile(atPath: output.path(), contents: nil))
        defer { try? FileManager.default.removeItem(at: output) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/curl")
        process.arguments = ["-s", "-m", "20"] + arguments
        process.standardOutput = try FileHandle(forWritingTo: output)
        let ended = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in ended.continuation.finish() }
        try process.run()
        for await _ in ended.stream {}
        return try String(contentsOf: output, encoding: .utf8)
    }

    @Test("curl pushes over HTTP/2 with the folder's certificate, and reads Apple's reason")
    func curlPushes() async throws {
        let fixture = try SandboxFixture()
        let sandbox = fixture.sandbox
        let format = " %{http_version} %{http_code}"
        let common = [
            "--http2", "--cacert", sandbox.authorityFile, "-w", format, "-d", #"{"aps":{}}"#,
            "-H", "authorization: \(try fixture.bearer())", "-H", "apns-push-type: alert",
        ]
        let url = sandbox.apns.endpoint + "/3/device/"
        let good = try await curl(common + ["-H", "apns-topic: com.example.bank", url + "00ff"])
        #expect(good == " 2 200")
        let bad = try await curl(common + ["-H", "apns-topic: com.example.bank", url + "xyz"])
        #expect(bad == #"{"reason":"BadDeviceToken"} 2 400"#)
        let none = try await curl(common + [url + "00ff"])
        #expect(none == #"{"reason":"MissingTopic"} 2 400"#)
        let distrusted = try await curl(["--http2", "-w", format, url + "00ff"])
        #expect(distrusted == " 0 000")
        #expect(sandbox.apns.records().map(\.status) == [200, 400, 400])
        await fixture.stop()
    }
}
