// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import TestSupport
import Testing

@Suite("Requests in wrappings")
struct WrappedRequestTests {
    private static let request = envelope(send())

    /// A package as CXF, Axis and .NET write it.
    private static func packaged(
        _ root: String = request,
        type: String = "application/xop+xml; charset=UTF-8"
    ) -> String {
        """
        preamble\r\n--a=1\r\nContent-Type: \(type);\r\n type="text/xml"\r\nContent-Transfer-Encoding: 8bit\r\n\
        Content-ID: <root@x>\r\n\r\n\(root)\r\n--a=1\r\nContent-Type: image/png\r\nContent-ID: <att@x>\r\n\r\n\
        \u{1}--a=1\n--a=12\r\n--a=1--\r\nepilogue
        """
    }

    @Test(
        "the root part of a package is the request",
        arguments: [
            "multipart/related; boundary=\"a=1\"; type=\"application/xop+xml\"; start=\"<root@x>\"; start-info=\"text/xml\"",
            "Multipart/Related; type=\"text/xml\"; boundary=\"a=1\"", "multipart/related;boundary=a=1;start=root@x",
        ]
    )
    func rootPart(type: String) async throws {
        let bank = try Bank()
        let response = await bank.post(Array(Self.packaged().utf8), type)
        #expect(response.status == 200, "\(response.text)")
        #expect(try bank.notification().id == "n1")
    }

    @Test("the root part need not be the first, and has an encoding of its own")
    func laterRoot() async throws {
        let other = "--b\nContent-ID: <1>\n\n<no/>\n"
        let root = "--b\ncontent-type: text/xml; charset=windows-1251\nContent-ID:<2>\n\n"
        let text = try #require(Self.request.replacing("Hello", with: "Привет").data(using: .windowsCP1251))
        let body = Array((other + root).utf8) + text + Array("\n--b--".utf8)
        let bank = try Bank()
        #expect(await bank.post(body, "multipart/related; boundary='b'; start='<2>'").status == 200)
        #expect(try bank.notification().content.text == "Привет")
    }

    @Test("SOAP 1.2 in a package is answered in kind, faults too")
    func version12() async throws {
        let type = "multipart/related; boundary=\"a=1\"; start-info=\"application/soap+xml\""
        let request = envelope(send(), version: soap12)
        let response = try await Bank().post(Array(Self.packaged(request).utf8), type)
        #expect(response.status == 200)
        #expect(response.text.contains(soap12))
        let fault = try await Bank().post(Array(Self.packaged("<x").utf8), type)
        #expect(fault.text.contains(soap12))
    }

    @Test(
        "what holds no envelope gets a fault with 415",
        arguments: [
            ("multipart/related", packaged()), ("multipart/related; boundary=other", packaged()),
            ("multipart/related; boundary=\"a=1\"; start=\"<none>\"", packaged()),
            ("multipart/related; boundary=\"a=1\"", packaged(type: "application/json")),
            ("multipart/related; boundary=\"a=1\"", packaged().replacing("8bit", with: "base64")),
            ("multipart/related; boundary=\"a=1\"", ""), ("multipart/form-data; boundary=\"a=1\"", packaged()),
            ("application/json", "{\"id\": 1}"), ("application/vnd.bank+json; charset=utf-8", "{}"),
            ("image/png", "\u{1}"),
        ]
    )
    func foreign(type: String, body: String) async throws {
        let bank = try Bank()
        let response = await bank.post(Array(body.utf8), type)
        #expect(response.status == 415)
        #expect(response.contentType == "text/xml; charset=utf-8")
        #expect(response.faultString?.isEmpty == false)
        #expect(response.headers.contains { $0.name == "Accept-Encoding" && $0.value == "gzip, deflate" })
        #expect(bank.intake.messages.isEmpty)
    }

    /// `envelope(send())`, for the smallest of requests, as gzip writes it.
    private static let gzip = CompressedSample.gzip(of: request)

    @Test("a compressed body is the request")
    func compressed() async throws {
        let bank = try Bank()
        let response = await bank.post(Self.gzip, "text/xml; charset=utf-8", [("Content-Encoding", "gzip")])
        #expect(response.status == 200, "\(response.text)")
        #expect(try bank.notification().id == "n1")
    }

    @Test("a body that grows beyond the limit, is damaged or of another coding gets a fault")
    func badCompression() async throws {
        let bank = try Bank(options: "max_body: 1KiB")
        let large = CompressedSample.gzip(of: String(repeating: " ", count: 1 << 20) + Self.request)
        let bomb = await bank.post(large, "text/xml", [("Content-Encoding", "gzip")])
        #expect(bomb.status == 413)
        #expect(bomb.faultString == "the body is larger than 1024 bytes")
        let cut = await bank.post(Array(Self.gzip.dropLast()), "text/xml", [("Content-Encoding", "gzip")])
        #expect(cut.status == 500)
        #expect(cut.faultString == "the body is not the gzip that its Content-Encoding says")
        let brotli = await bank.post(Self.gzip, "text/xml", [("Content-Encoding", "br")])
        #expect(brotli.status == 415)
        let silent = await bank.post(Self.gzip, "text/xml")
        #expect(silent.status == 415)
        #expect(silent.faultString == "the body is compressed, and no Content-Encoding says so")
        #expect(bank.intake.messages.isEmpty)
    }

    @Test("damaged packages, references and compressed bodies are answered, whatever they are")
    func damaged() async throws {
        let samples: [(type: String, coding: String?, bytes: [UInt8])] = [
            ("multipart/related; boundary=\"a=1\"; start=\"<root@x>\"", nil, Array(Self.packaged().utf8)),
            ("text/xml", "gzip", Self.gzip), ("text/xml", nil, Array(EncodedRequestTests.samples[0].utf8)),
            ("text/xml", nil, Array(EncodedRequestTests.samples[1].utf8)),
            ("text/xml; charset=koi8-r", nil, Array(Self.request.utf8)),
        ]
        var random = SystemRandomNumberGenerator()
        let bank = try Bank()
        for round in 0..<4_000 {
            let sample = samples[round % samples.count]
            var bytes = sample.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(sample.bytes.randomElement(using: &random) ?? 0, at: index)
                default: bytes.append(contentsOf: bytes[index...])
                }
            }
            let coding = sample.coding.map { [(name: "Content-Encoding", value: $0)] } ?? []
            let response = await bank.post(bytes, sample.type, coding)
            #expect([200, 413, 415, 500].contains(response.status))
            #expect(response.text.contains("Envelope"))
        }
    }
}

/// gzip without compression: stored blocks need no library (RFC 1951, 3.2.4).
enum CompressedSample {
    static func gzip(of text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        var body: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
        var rest = bytes[...]
        repeat {
            let part = rest.prefix(0xffff)
            rest = rest.dropFirst(part.count)
            let count = UInt16(part.count)
            body += [
                rest.isEmpty ? 1 : 0, UInt8(count & 0xff), UInt8(count >> 8), UInt8(~count & 0xff), UInt8(~count >> 8),
            ]
            body += part
        } while !rest.isEmpty
        return body + littleEndian(checksum(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
        }
    }

    private static func littleEndian(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> ($0 * 8) & 0xff) } }
}
