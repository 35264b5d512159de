// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import HTTPClient
import JSON
import TestSupport
import Testing

/// More connections than a listener takes, from eight addresses, and a bank among them.
@Suite("A crowd at the door", .serialized, .timeLimit(.minutes(2)))  // They would measure each other.
struct CrowdTests {
    private static let seconds = 10
    private static let script = checkout.appending(path: "Tests/Interop/crowd.py").path

    private func run(
        _ role: String,
        _ bus: BusProcess,
        _ world: World,
        seconds: Int = Self.seconds
    ) async throws -> JSONValue {
        let arguments = [Self.script, role, "\(bus.port)", "\(seconds)"]
        let result = try await OtherProgram.foreign("python", arguments, in: world.folder)
        #expect(result.status == 0, "\(result.error)")
        return try JSONValue(parsing: Array(result.output.utf8))
    }

    /// Asks whether the bus is ready until it is told to stop; returns what was not "ready".
    private func watch(_ world: World, _ bus: BusProcess) async -> (asked: Int, refused: [String]) {
        var asked = 0
        var refused: [String] = []
        while !Task.isCancelled {
            // The last one is cut short, and says nothing.
            guard let answer = try? await world.admin("GET", bus, "/readyz") else {
                if !Task.isCancelled { refused.append("no answer") }
                continue
            }
            asked += 1
            if answer.status != 200 { refused.append(String(decoding: answer.body, as: UTF8.self)) }
            // An operator's probe asks again after a while; here that is soon.
            try? await Task.sleep(for: .milliseconds(20))
        }
        return (asked, refused)
    }

    private func descriptors(_ bus: BusProcess) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(bus.pid)/fd").count
    }

    @Test("a bank gets every answer, the bus is ready at every moment, descriptors come back, and it stops at once")
    func crowd() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            try await world.register("anna", device: "d1", token: "00ff", at: bus)
            let before = try descriptors(bus)
            let watching = Task { await watch(world, bus) }
            async let crowd = run("crowd", bus, world)
            let bank = try await run("bank", bus, world)
            let seen = try await crowd
            watching.cancel()
            let (asked, refused) = await watching.value
            print("crowd: \(seen), bank: \(bank), readyz asked \(asked) times")
            #expect(seen["most"] == 8_000)
            #expect(bank["answers"] == ["OK": .integer(Int64(Self.seconds * 50))])
            #expect(refused.isEmpty, "\(refused.first ?? "")")
            #expect(asked > 50)
            let limit = ContinuousClock.now + .seconds(60)
            // The kernel and the bus close what the crowd left; nobody tells when they are done.
            while try descriptors(bus) > before + 30, ContinuousClock.now < limit {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(try descriptors(bus) <= before + 30)
            #expect(bus.log.contains("or gave way"), "\(bus.log)")
            // It stops at once although the next crowd holds all that it may.
            async let next = run("crowd", bus, world, seconds: 4)
            while try descriptors(bus) < before + 2_000 { try await Task.sleep(for: .milliseconds(20)) }
            let began = ContinuousClock.now
            #expect(bus.terminate() == 0)
            #expect(ContinuousClock.now - began < .seconds(5))
            _ = try await next
        }
    }

    @Test("out of descriptors, clients are told so and not left waiting, the log has a line, and it goes on by itself")
    func outOfDescriptors() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            #expect(try await world.soap("<getDeliveryStatus><id>n</id></getDeliveryStatus>", at: bus).status == 200)
            try await limit(bus, to: try descriptors(bus) + 5, world)
            let callers = try await Self.silentCallers(60, port: bus.port)
            let isTold = await bus.says("out of file descriptors")
            #expect(isTold)
            // Whoever got no descriptor was answered or closed; nobody is in the queue for ever.
            let late = try await RawCaller.call(port: bus.port) { caller in
                _ = caller.write(Array("GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
            }
            #expect([404, 503].contains(late.status))
            try await limit(bus, to: 4_096, world)
            #expect(try await world.soap("<getDeliveryStatus><id>n</id></getDeliveryStatus>", at: bus).status == 200)
            #expect(try await world.admin("GET", bus, "/readyz").status == 200)
            for descriptor in callers { close(descriptor) }
            #expect(bus.terminate() == 0)
        }
    }

    private func limit(_ bus: BusProcess, to count: Int, _ world: World) async throws {
        let arguments = ["--pid", "\(bus.pid)", "--nofile=\(count):"]
        let result = try await OtherProgram.run(URL(filePath: "/usr/bin/prlimit"), arguments, in: world.folder)
        #expect(result.status == 0, "\(result.error)")
    }

    private static func silentCallers(_ count: Int, port: UInt16) async throws -> [Int32] {
        try (0..<count).map { _ in try LoopbackSocket.connect(to: port) }
    }
}
