// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import HTTPServer
import JSON
import Testing

@testable import SMSGateway

/// The channel against the gateway that banks run.
@Suite(.timeLimit(.minutes(1))) struct KannelTests {
    /// Runs `body` with a channel to a gateway, and the bus's side of its reports.
    private func withChannel(
        to kannel: Kannel,
        _ options: String,
        _ body: (SMSGateway, Arrivals<GatewayReport>) async throws -> Void
    ) async throws {
        let intake = FakeIntake()
        let address = "127.0.0.1:\(try freePorts(1)[0])"
        let reports = "delivery_reports: {url: 'http://\(address)/sms/reports'}\n"
        let channel = try makeChannel("url: \(kannel.url)\n" + account + reports + options, intake: intake)
        let server = try HTTPServer(listen: [address], routes: channel.routes)
        do { try await body(channel, intake.reports) } catch {
            await server.stop(drain: .zero)
            throw error
        }
        await server.stop(drain: .zero)
    }

    @Test("A Cyrillic PIN goes through a real Kannel, and its delivery report comes back")
    func pin() async throws {
        try await Kannel.with(.fake) { kannel in
            for (ticket, method) in [(1, "get"), (2, "post")] as [(UInt64, String)] {
                try await withChannel(to: kannel, "from: '900'\nmethod: \(method)") { channel, reports in
                    #expect(await channel.probe() == nil)
                    let delivery = delivery("Ваш код \(method):", ticket: ticket)
                    #expect(await sent(delivery, over: channel) == .accepted)
                    let report = try await reports.first { $0.reference == delivery.reference }
                    #expect(report.fate == .delivered)
                }
            }
            let texts = kannel.arrivals.all.compactMap(Self.text(ofFakeMessage:))
            #expect(texts == ["Ваш код get: 483920", "Ваш код post: 483920"])
        }
    }

    /// What `fakesmsc` got: `Got message 1: <900 +79161234567 ucs-2 %04%12…>`, in UTF-16 with percent signs.
    private static func text(ofFakeMessage line: String) -> String? {
        let parts = line.split(separator: "<900 +79161234567 ucs-2 ")
        guard line.contains("Got message"), parts.count == 2 else { return nil }
        var bytes: [UInt8] = []
        var rest = parts[1].utf8.prefix { $0 != UInt8(ascii: ">") }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        return String(decoding: units, as: UTF16.self)
    }

    @Test("Behind SMPP, failures come back as reports, and every character arrives as the one that was counted")
    func smpp() async throws {
        try await Kannel.with(.smpp) { kannel in
            for (method, prefix) in [("get", "+7916000010"), ("post", "+7916000020")] {
                try await withChannel(to: kannel, "from: MegaBank\nmethod: \(method)") { channel, reports in
                    try await checkAlphabets(channel, kannel, prefix)
                    try await checkFates(channel, reports, prefix)
                }
            }
        }
    }

    private func checkAlphabets(_ channel: SMSGateway, _ kannel: Kannel, _ prefix: String) async throws {
        let basic = GSMAlphabet.basic.enumerated().filter { $0.element != "\u{1B}" }
        let extended = GSMAlphabet.extended.filter { $0.scalar != "\u{0C}" }
        let text = String(String.UnicodeScalarView(basic.map(\.element) + extended.map(\.scalar)))
        let bytes = basic.map { UInt8($0.offset) } + extended.flatMap { [0x1B, $0.code] }
        #expect(await sent(delivery(text, target: nil, to: prefix + "4"), over: channel) == .accepted)
        let gsm = try await Submitted.first(to: prefix + "4", in: kannel)
        #expect(gsm == Submitted(ton: 1, from: "MegaBank", coding: 0, bytes: bytes))

        let pin = "Ваш код 😀:"
        #expect(await sent(delivery(pin, to: prefix + "5"), over: channel) == .accepted)
        let ucs2 = try await Submitted.first(to: prefix + "5", in: kannel)
        let units = "\(pin) 483920".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        #expect(ucs2 == Submitted(ton: 1, from: "MegaBank", coding: 8, bytes: units))

        let long = delivery(String(repeating: "Ж", count: 72), target: nil, to: prefix + "6")
        #expect(await sent(long, over: channel) == .accepted)
        let second = try await kannel.arrivals.first { [digits = prefix.dropFirst()] line in
            line.contains("\"to\": \"\(digits)6\"") && line.contains("0202")
        }
        #expect(second.contains("\"esm\": 67"))
    }

    private func checkFates(_ channel: SMSGateway, _ reports: Arrivals<GatewayReport>, _ prefix: String) async throws {
        let fates: [(digit: String, fate: GatewayReport.Fate)] = [
            ("0", .delivered), ("1", .undeliverable(reason: "undeliverable: stat:UNDELIV err:011")),
            ("2", .undeliverable(reason: "refused by the SMSC: 0x0000000b Invalid Destination Address")),
            // Throttled once: Kannel tries again by itself.
            ("3", .delivered),
        ]
        let deliveries = fates.enumerated().map { delivery(to: prefix + $1.digit, ticket: UInt64(100 + $0)) }
        for delivery in deliveries { #expect(await sent(delivery, over: channel) == .accepted) }
        for (delivery, expected) in zip(deliveries, fates) {
            let report = try await reports.first { $0.reference == delivery.reference }
            #expect(report.fate == expected.fate)
        }
    }
}

/// What our SMSC noted of a message.
private struct Submitted: Equatable {
    var ton: Int64
    var from: String
    var coding: Int64
    var bytes: [UInt8]

    static func first(to number: String, in kannel: Kannel) async throws -> Self {
        let digits = String(number.dropFirst())
        let line = try await kannel.arrivals.first { $0.contains("\"to\": \"\(digits)\"") }
        let json = try JSONValue(parsing: line)
        return Self(
            ton: try #require(json["ton"]?.integer),
            from: try #require(json["from"]?.string),
            coding: try #require(json["coding"]?.integer),
            bytes: try #require(json["text"]?.string.flatMap(Hex.decode))
        )
    }
}
