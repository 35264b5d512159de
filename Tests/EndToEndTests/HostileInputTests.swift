// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What strangers and broken programs send to the bank's door of the real daemon.
///
/// After each request: a fault or 413, memory near where it was, the next request served, and nothing kept.
@Suite("Hostile SOAP", .timeLimit(.minutes(3)))
struct HostileInputTests {
    private static let allowance = 80 << 20
    private static let megabyte = [UInt8](repeating: 0x61, count: 1 << 20)

    /// A request by name: so the test's output stays readable.
    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var type = "text/xml; charset=utf-8"
        let body: @Sendable () -> [UInt8]

        init(_ name: String, type: String = "text/xml; charset=utf-8", _ body: @escaping @Sendable () -> [UInt8]) {
            testDescription = name
            self.type = type
            self.body = body
        }

        /// An attack in the middle of a request that is right but for that.
        static func inside(_ name: String, _ more: @escaping @Sendable () -> String) -> Attack {
            Attack(name) { Array(SOAPText.envelope(SOAPText.notification("evil", to: ["anna"], more: more())).utf8) }
        }

        static func text(_ name: String, _ text: @escaping @Sendable () -> String) -> Attack {
            Attack(name) { Array(text().utf8) }
        }
    }

    private static let good = SOAPText.envelope(SOAPText.notification("evil", to: ["anna"]))
    private static let goodBody = SOAPText.notification("evil", to: ["anna"])

    private static func afterDeclaration(_ text: String) -> String {
        good.replacingOccurrences(of: "?>", with: "?>\(text)")
    }

    static let attacks: [Attack] = [
        .inside("50,000 elements deep") {
            String(repeating: "<a>", count: 50_000) + String(repeating: "</a>", count: 50_000)
        },
        .inside("50,000 elements deep and never closed") { String(repeating: "<a>", count: 50_000) },
        .inside("10,000 attributes") { "<a \((0..<10_000).map { "a\($0)='1'" }.joined(separator: " "))/>" },
        .inside("10,000 namespaces") { "<a \((0..<10_000).map { "xmlns:a\($0)='u'" }.joined(separator: " "))/>" },
        .inside("a name of 100,000 bytes") { "<\(String(repeating: "a", count: 100_000))/>" },
        .inside("60,000 elements") { String(repeating: "<a/>", count: 60_000) },
        .inside("an entity nobody declared") { "<a>&evil;</a>" },
        .inside("a NUL by reference") { "<a>&#0;</a>" },
        .inside("an unbound prefix") { "<x:a/>" },
        .inside("a repeated attribute") { "<a b='1' b='2'/>" },
        .text("an entity bomb") {
            let levels = (1...9).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }
            let bomb = "<!DOCTYPE b [<!ENTITY e0 \"lol\">\(levels.joined())]>"
            return afterDeclaration(bomb).replacingOccurrences(of: "hello", with: "&e9;")
        },
        .text("a quadratic entity bomb") {
            let bomb = "<!DOCTYPE b [<!ENTITY e \"\(String(repeating: "a", count: 50_000))\">]>"
            let many = String(repeating: "&e;", count: 20_000)
            return afterDeclaration(bomb).replacingOccurrences(of: "hello", with: many)
        },
        .text("an entity from a file") {
            afterDeclaration("<!DOCTYPE b [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>")
                .replacingOccurrences(of: "hello", with: "&e;")
        },
        .text("a DOCTYPE that declares nothing") { afterDeclaration("<!DOCTYPE b>") },
        .text("two roots") { good + "<a/>" },
        .text("text after the root") { good + "a" },
        .text("truncated") { String(good.dropLast(40)) },
        .text("truncated in a tag") { String(good.prefix(200)) },
        .text("nothing") { "" },
        .text("blanks") { "   \n " },
        .text("no XML") { "id=1&text=2" },
        .text("two operations") { SOAPText.envelope(goodBody + goodBody) },
        .text("another namespace") {
            good.replacingOccurrences(of: "<sendNotification>", with: "<sendNotification xmlns='urn:other'>")
        },
        .text("no recipients") { good.replacingOccurrences(of: "<recipients>anna</recipients>", with: "") },
        .text("a recipient that is nil") {
            good.replacingOccurrences(
                of: "<recipients>",
                with: "<recipients xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'>"
            )
        },
        .text("a number that is none") { good.replacingOccurrences(of: "<timeout>600", with: "<timeout>6e2") },
        .text("a number beyond all bounds") {
            good.replacingOccurrences(of: "<timeout>600", with: "<timeout>\(String(repeating: "9", count: 5_000))")
        },
        .text("a type nobody knows") { good.replacingOccurrences(of: "UNIVERSAL", with: "EVIL") },
        Attack("invalid UTF-8 in a tag name") {
            let parts = Array(good.utf8).split(separator: UInt8(ascii: "\n"))
            return Array(parts.joined(separator: Array("<a\u{fe}>".utf8.prefix(2)) + [0xff, 0xfe, 0x3e]))
        },
        Attack("invalid UTF-8 in a text") {
            let halves = good.components(separatedBy: "hello")
            return Array(halves[0].utf8) + [0xc0, 0xaf, 0xed, 0xa0, 0x80] + Array(halves[1].utf8)
        },
        Attack("a NUL byte") { Array(good.utf8).map { $0 == 0x68 ? 0 : $0 } },
        Attack("half a UTF-16 pair", type: "text/xml; charset=utf-16") {
            Array(good.utf16).flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }.dropLast()
        },
        Attack("a charset nobody knows", type: "text/xml; charset=utf-7") { Array(good.utf8) },
        Attack("random bytes") { (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) } },
    ]

    @Test("each is a fault; memory stays, the next request is served, nothing is kept")
    func attacks() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            try await serves(world, bus, "before")
            let before = try bus.peakMemory()
            for attack in Self.attacks {
                let body = attack.body()
                let head = Self.head("Content-Length: \(body.count)", type: attack.type)
                let answer = try await RawCaller.call(port: bus.port) { caller in
                    _ = caller.write(head) && caller.write(body)
                }
                #expect(answer.status == 500, "\(attack.testDescription): \(answer.text.prefix(300))")
                #expect(answer.text.contains("Fault>"), "\(attack.testDescription)")
                #expect(answer.text.contains("Client<"), "\(attack.testDescription)")
                #expect(!answer.text.contains("root:"), "\(attack.testDescription)")
                try await serves(world, bus, attack.testDescription)
                #expect(try await keepsNothing(world, bus), "\(attack.testDescription)")
            }
            let grown = try bus.peakMemory() - before
            #expect(grown < Self.allowance, "grew by \(grown >> 20) MiB")
            #expect(bus.terminate() == 0)
        }
    }

    @Test("60 MB, announced or in chunks, with and without waiting for a word, cost 413 and no memory")
    func large() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            try await serves(world, bus, "before")
            let before = try bus.peakMemory()
            let start = Array(Self.good.prefix(100).utf8)
            let length = "Content-Length: \(60 << 20)"
            let requests: [(head: String, isChunked: Bool, sends: Bool)] = [
                (length, false, true), ("Transfer-Encoding: chunked", true, true),
                ("\(length)\r\nExpect: 100-continue", false, false),
                ("Content-Length: 99999999999999", false, false),
            ]
            for (line, isChunked, sends) in requests {
                for _ in 0..<3 {
                    let head = Self.head(line)
                    let answer = try await RawCaller.call(port: bus.port) { caller in
                        guard caller.write(head), sends else { return }
                        Self.sendSixtyMegabytes(start, isChunked: isChunked, caller)
                    }
                    #expect(answer.status == 413, "\(line): \(answer.text.prefix(200))")
                }
                try await serves(world, bus, line)
                #expect(try await keepsNothing(world, bus))
            }
            let grown = try bus.peakMemory() - before
            #expect(grown < Self.allowance, "grew by \(grown >> 20) MiB")
            #expect(bus.terminate() == 0)
        }
    }

    @Test("forty clients at once with the largest body that is allowed stay within the same memory")
    func manyLarge() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            try await serves(world, bus, "before")
            let before = try bus.peakMemory()
            let filler = String(repeating: "<a>b</a>", count: 5_000)
            let text = SOAPText.envelope(SOAPText.notification("evil", to: ["anna"], more: filler + "<a>"))
            let body = Array(text.utf8) + [UInt8](repeating: 0x20, count: max(0, 1_000_000 - text.utf8.count))
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        let head = Self.head("Content-Length: \(body.count)")
                        let answer = try await RawCaller.call(port: bus.port) { caller in
                            _ = caller.write(head) && caller.write(body)
                        }
                        return answer.status
                    }
                }
                for try await status in group { #expect(status == 500) }
            }
            try await serves(world, bus, "after")
            #expect(try await keepsNothing(world, bus))
            let grown = try bus.peakMemory() - before
            #expect(grown < Self.allowance, "grew by \(grown >> 20) MiB")
            #expect(bus.terminate() == 0)
        }
    }

    // MARK: What must hold after each

    private func serves(_ world: World, _ bus: BusProcess, _ after: String) async throws {
        let asked = try await world.soap(
            "<checkSubscriptionExists><user>anna</user></checkSubscriptionExists>",
            at: bus
        )
        #expect(asked.status == 200, "after \(after)")
        #expect(asked.text.contains("<exists>false</exists>"), "after \(after): \(asked.text)")
    }

    private func keepsNothing(_ world: World, _ bus: BusProcess) async throws -> Bool {
        let asked = try await world.soap("<getDeliveryStatus><id>evil</id></getDeliveryStatus>", at: bus)
        return asked.text.contains("<status>ENTITY_NOT_FOUND</status>")
    }

    private static func head(_ lines: String, type: String = "text/xml; charset=utf-8") -> [UInt8] {
        let head = """
            POST \(World.soapPath) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: \(type)\r\nConnection: close\r\n\
            \(lines)\r\n\r\n
            """
        return Array(head.utf8)
    }

    private static func sendSixtyMegabytes(_ start: [UInt8], isChunked: Bool, _ caller: RawCaller) {
        var left = 60 << 20
        var part = start[...]
        while left > 0 {
            part = part.prefix(left)
            guard isChunked ? caller.writeChunk(part) : caller.write(part) else { return }
            left -= part.count
            part = megabyte[...]
        }
        if isChunked { _ = caller.writeChunk([]) }
    }
}
