// SPDX-License-Identifier: Apache-2.0

import CZlib
import Compression
import Testing

@Suite("Compressed bodies")
struct ContentCodingTests {
    /// What zlib makes of bytes: with 16 added to the window gzip, else zlib's own form.
    static func compressed(_ bytes: [UInt8], isGzip: Bool = true) -> [UInt8] {
        var input = bytes
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        deflateInit2_(&stream, 9, Z_DEFLATED, isGzip ? 31 : 15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        defer { deflateEnd(&stream) }
        return input.withUnsafeMutableBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: bytes.count + 1024) { output, count in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                _ = deflate(&stream, Z_FINISH)
                count = output.count - Int(stream.avail_out)
            }
        }
    }

    private static let text = Array(String(repeating: "<a>Остаток</a>", count: 10_000).utf8)

    @Test("come out as they were", arguments: ["gzip", "x-gzip", "GZIP", " gzip "])
    func gzip(header: String) throws {
        let body = Self.compressed(Self.text)
        #expect(try ContentCoding.decode(body, header: header, limit: Self.text.count) == Self.text)
        let twice = Self.compressed(Array("<a>".utf8)) + Self.compressed(Array("</a>".utf8))
        #expect(try ContentCoding.decode(twice, header: header, limit: 100) == Array("<a></a>".utf8))
        #expect(try ContentCoding.decode(Self.compressed([]), header: header, limit: 100) == [])
    }

    @Test("come out as they were in zlib's form too")
    func deflated() throws {
        let body = Self.compressed(Self.text, isGzip: false)
        #expect(try ContentCoding.decode(body, header: "deflate", limit: 1 << 20) == Self.text)
    }

    @Test("that are none stay as they are", arguments: [nil, "", "identity"])
    func plain(header: String?) throws {
        #expect(try ContentCoding.decode([1, 2], header: header, limit: 1) == [1, 2])
    }

    @Test("in other codings are refused", arguments: ["br", "zstd", "gzip, gzip", "compress"])
    func unknown(header: String) {
        #expect(throws: ContentCoding.Failure.unknown) { try ContentCoding.decode([], header: header, limit: 1) }
    }

    @Test("never grow beyond the limit")
    func bomb() {
        let body = Self.compressed([UInt8](repeating: 0, count: 64 << 20))
        #expect(body.count < 100_000)
        #expect(throws: ContentCoding.Failure.tooLarge) {
            try ContentCoding.decode(body, header: "gzip", limit: 1 << 20)
        }
    }

    @Test("that are cut, changed or followed by something are damaged")
    func damaged() {
        let body = Self.compressed(Array("<a>text</a>".utf8))
        for count in 0..<body.count {
            #expect(throws: ContentCoding.Failure.damaged) {
                try ContentCoding.decode(Array(body.prefix(count)), header: "gzip", limit: 100)
            }
        }
        for wrong in [body + [0x78], Array("<a/>".utf8), body.dropLast(1) + [body[body.count - 1] ^ 1]] {
            #expect(throws: ContentCoding.Failure.damaged) {
                try ContentCoding.decode(Array(wrong), header: "gzip", limit: 100)
            }
        }
    }
}
