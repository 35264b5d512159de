// SPDX-License-Identifier: Apache-2.0

import CZlib

/// Undoes the compression of an HTTP body (RFC 9110, 8.4).
public enum ContentCoding {
    /// What is undone, as the header `Accept-Encoding` has it.
    public static let accepted = "gzip, deflate"

    /// Why a body cannot be had without its compression.
    public enum Failure: Error, Equatable {
        /// It is compressed in a way that is not known here; the answer is 415.
        case unknown
        /// It is larger than allowed; the answer is 413.
        case tooLarge
        /// It is no such data, or ends too soon; the answer is 400.
        case damaged
    }

    /// The body without the compression that `header`, Content-Encoding, names.
    ///
    /// What it grows to is never more than `limit` bytes: a kilobyte can stand for a megabyte.
    public static func decode(_ body: [UInt8], header: String?, limit: Int) throws(Failure) -> [UInt8] {
        guard let header else { return body }
        switch header.lowercased().filter({ $0 != " " && $0 != "\t" }) {
        case "", "identity": return body
        case "gzip", "x-gzip", "deflate": return try inflate(body, limit: limit)
        default: throw .unknown
        }
    }

    /// Whether bytes begin as gzip's do, whatever was said of them.
    public static func isGzip(_ body: [UInt8]) -> Bool { body.starts(with: [0x1f, 0x8b, 0x08]) }

    private static func inflate(_ body: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        var input = body
        var stream = z_stream()
        guard busd_inflate_begin(&stream) == Z_OK else { throw .damaged }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        let result = input.withUnsafeMutableBufferPointer { input -> Result<Void, Failure> in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            return inflate(&stream, into: &output, limit: limit)
        }
        try result.get()
        return output
    }

    private static func inflate(
        _ stream: inout z_stream,
        into output: inout [UInt8],
        limit: Int
    ) -> Result<Void, Failure> {
        let step = 64 << 10
        while true {
            var status = Z_OK
            output += [UInt8](unsafeUninitializedCapacity: step) { part, count in
                stream.next_out = part.baseAddress
                stream.avail_out = UInt32(step)
                status = CZlib.inflate(&stream, Z_NO_FLUSH)
                count = step - Int(stream.avail_out)
            }
            if output.count > limit { return .failure(.tooLarge) }
            switch status {
            case Z_STREAM_END:
                if stream.avail_in == 0 { return .success(()) }
                // gzip files may follow each other (RFC 1952, 2.2); anything else behind the end is damage.
                guard inflateReset(&stream) == Z_OK else { return .failure(.damaged) }
            case Z_OK where stream.avail_in > 0 || stream.avail_out == 0: continue
            default: return .failure(.damaged)
            }
        }
    }
}
