// SPDX-License-Identifier: Apache-2.0

import Foundation
import Sandbox
import Testing

@Suite("Urgent messages among bulk", .serialized, .timeLimit(.minutes(4)))
struct UrgencyTests {
    private static func setting(_ name: String, _ usual: Int) -> Int {
        Int(ProcessInfo.processInfo.environment[name] ?? "") ?? usual
    }

    /// Sends codes one after the other; returns the times from the bank's request to the provider, in milliseconds.
    private func sendCodes(_ name: String, _ count: Int, _ world: World, _ bus: BusProcess) async throws -> [Int64] {
        var starts: [String: Int64] = [:]
        for number in 0..<count {
            let id = "\(name)\(number)"
            let request = SOAPText.notification(id, to: ["urgent"])
                .replacing("<type>UNIVERSAL</type>", with: "<type>PIN_CODE</type><target>1</target>")
            starts[id] = Int64(Date().timeIntervalSince1970 * 1_000)
            #expect(try await world.soap(request, at: bus).text.contains("<status>OK</status>"))
            // The pace of a bank's customers, not a wait for something.
            try await Task.sleep(for: .milliseconds(100))
        }
        // Over several connections the last one sent need not be the last one there.
        for id in starts.keys { _ = try await world.status(of: id, at: bus, becomes: "<value>SENT</value>") }
        return world.sandbox.apns.records(token: "aaaa").compactMap { record in
            starts[record.header("apns-collapse-id") ?? ""].map { record.at - $0 }
        }.sorted()
    }

    private func percentile(_ times: [Int64]) -> Int64 { times.isEmpty ? .max : times[(times.count * 99 - 1) / 100] }

    @Test("a code overtakes a backlog of bulk that is being sent")
    func overtaken() async throws {
        let bulk = Self.setting("BUSD_BACKLOG", 60_000)
        let codes = Self.setting("BUSD_CODES", 20)
        var options = SandboxOptions()
        options.recordLimit = 2 * bulk + 10_000
        try await World.with(sandbox: options) { world in
            let bus = try await world.startBus()
            try await world.register("urgent", device: "urgent", token: "aaaa", at: bus)
            for user in 0..<1_000 {
                try await world.register("user\(user)", device: "d\(user)", token: "\(100_000 + user)", at: bus)
            }
            let idle = percentile(try await sendCodes("idle", codes, world, bus))
            _ = try await world.admin("POST", bus, "/channels/bank/apns/pause", token: "operator")
            let users = (0..<1_000).map { "user\($0)" }
            for number in 0..<bulk / 1_000 {
                let request = SOAPText.notification("bulk\(number)", to: users, timeout: 3_600)
                #expect(try await world.soap(request, at: bus).text.contains("<status>OK</status>"))
            }
            world.sandbox.apns.removeRecords()
            _ = try await world.admin("POST", bus, "/channels/bank/apns/resume", token: "operator")
            let before = world.sandbox.apns.records().count
            let times = try await sendCodes("busy", codes, world, bus)
            let sent = world.sandbox.apns.records().count - before
            print("p99 \(percentile(times)) ms with \(sent) of \(bulk) bulk sent meanwhile, idle \(idle) ms")
            #expect(times.count == codes)
            #expect(sent < bulk, "the backlog was gone before the codes were")
            // The stand-in of this very process is built without optimisation and shares two cores with the test and the
            // bus; with a fixed number of bulk under way it was 930 ms. The bar (100 ms) is measured by `make bench`.
            #expect(percentile(times) < Int64(Self.setting("BUSD_LIMIT", 400)))
            await world.sandbox.apns.arrived(bulk + codes)
            #expect(bus.terminate() == 0)
        }
    }
}
