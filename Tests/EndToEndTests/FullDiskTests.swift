// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import HTTPClient
import Sandbox
import Testing

@Suite("A bus whose disk is full", .timeLimit(.minutes(3)))
struct FullDiskTests {
    /// Whether this user may mount a disk of a few megabytes.
    private static let mayMount = getuid() == 0

    @Test("turns callers away with 503, says why, and goes on by itself when there is room", .enabled(if: mayMount))
    func full() async throws {
        try await World.with(node: "", inbound: "  - rest_bank: { path: /api/v1 }") { world in
            let disk = world.folder.appending(path: "disk").path
            try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
            let mounted = try await OtherProgram.run(
                URL(filePath: "/bin/mount"),
                ["-t", "tmpfs", "-o", "size=8m", "tmpfs", disk],
                in: world.folder
            )
            try #require(mounted.status == 0, "\(mounted.error)")
            do {
                try await Self.fill(disk, world)
            } catch {
                try await Self.unmount(disk, world)
                throw error
            }
            try await Self.unmount(disk, world)
        }
    }

    private static func unmount(_ disk: String, _ world: World) async throws {
        _ = try await OtherProgram.run(URL(filePath: "/bin/umount"), ["-l", disk], in: world.folder)
    }

    private static func fill(_ disk: String, _ world: World) async throws {
        try world.write(
            "busd.yaml",
            """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0, token: operator }
            store: sqlite:disk/busd.db
            pipelines: [bank.yaml]
            """
        )
        let bus = try await world.startBus()
        #expect(try await send("n0", world, bus).status == 202)
        #expect(try await world.admin("GET", bus, "/readyz").status == 200)
        // Somebody else takes all that is left.
        let ballast = URL(filePath: disk).appending(path: "ballast")
        try Data().write(to: ballast)
        let handle = try FileHandle(forWritingTo: ballast)
        let block = Data(repeating: 1, count: 4_096)
        while (try? handle.write(contentsOf: block)) != nil {}
        try handle.close()
        var number = 1
        var answer = try await send("n1", world, bus)
        while answer.status == 202, number < 5_000 {
            number += 1
            answer = try await send("n\(number)", world, bus)
        }
        #expect(answer.status == 503, "\(String(decoding: answer.body, as: UTF8.self))")
        #expect(answer.headers["Retry-After"] == "10")
        let fault = try await world.soap(SOAPText.notification("soap", to: ["anna"]), at: bus)
        #expect(fault.status == 503)
        #expect(fault.text.contains("<faultcode>soap:Server</faultcode>"), "\(fault.text)")
        let ready = try await world.admin("GET", bus, "/readyz")
        #expect(ready.status == 503)
        let words = String(decoding: ready.body, as: UTF8.self)
        #expect(words.contains("make room in '\(disk)'") || words.contains("full: make room in"), "\(words)")
        #expect(try await world.admin("GET", bus, "/healthz").status == 200)
        #expect(await bus.says("the store cannot take anything on: callers get 503"))
        try FileManager.default.removeItem(at: ballast)
        #expect(await bus.says("the store takes everything on again"))
        #expect(try await world.admin("GET", bus, "/readyz").status == 200)
        #expect(try await send("late", world, bus).status == 202)
        // What was refused was not kept.
        #expect(try await send("n\(number)", world, bus).status == 202)
        #expect(bus.terminate() == 0)
        let again = try await world.startBus()
        #expect(try await world.status(of: "late", at: again, becomes: "INVALID").contains("INVALID_SUBSCRIPTION"))
        #expect(again.terminate() == 0)
    }

    private static func send(_ id: String, _ world: World, _ bus: BusProcess) async throws -> HTTPClientResponse {
        let body = """
            {"id": "\(id)", "recipients": ["anna"], "timeout": 600,
             "pushContent": {"badge": 0, "text": "\(String(repeating: "t", count: 1_000))", "type": "UNIVERSAL"}}
            """
        return try await world.send("POST", bus, "/api/v1/notifications", "", body)
    }
}
