// SPDX-License-Identifier: Apache-2.0

internal import CNGHTTP2

/// One header field.
public struct HTTP2Header: Sendable, Equatable {
    /// The name, in lower case.
    public var name: String
    /// The value.
    public var value: String
    /// Whether the field may enter the connection's header table: `false` for what differs in every request, which
    /// would only push out what repeats.
    public var isIndexed: Bool

    /// Makes a field; the name is put in lower case, as HTTP/2 demands.
    public init(_ name: String, _ value: String, isIndexed: Bool = true) {
        self.name = name.lowercased()
        self.value = value
        self.isIndexed = isIndexed
    }
}

/// Header fields encoded once and shared by any number of requests or responses.
///
/// `@unchecked`: the memory is written before `init` returns and never again.
public final class HTTP2HeaderList: @unchecked Sendable {
    /// No fields.
    public static let empty = HTTP2HeaderList([])

    let fields: UnsafeMutableBufferPointer<nghttp2_nv>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// Encodes the fields; those whose value may not stand in a header (a line break, for instance) are left out.
    public init(_ headers: [HTTP2Header]) {
        let valid = headers.filter(Self.isValid)
        bytes = .allocate(capacity: valid.reduce(1) { $0 + $1.name.utf8.count + $1.value.utf8.count })
        fields = .allocate(capacity: max(1, valid.count))
        var offset = 0
        for (index, header) in valid.enumerated() {
            let name = Self.copy(header.name, to: bytes, at: &offset)
            let value = Self.copy(header.value, to: bytes, at: &offset)
            fields.initializeElement(at: index, to: Self.field(name, value, isIndexed: header.isIndexed))
        }
        count = valid.count
    }

    /// The number of fields.
    public let count: Int

    deinit {
        bytes.deallocate()
        fields.deallocate()
    }

    private static func isValid(_ header: HTTP2Header) -> Bool {
        var value = header.value
        return value.withUTF8 { nghttp2_check_header_value($0.baseAddress, $0.count) != 0 }
    }

    private static func copy(
        _ text: String,
        to bytes: UnsafeMutableBufferPointer<UInt8>,
        at offset: inout Int
    ) -> UnsafeMutableBufferPointer<UInt8> {
        let length = text.utf8.count
        let place = UnsafeMutableBufferPointer(rebasing: bytes[offset..<(offset + length)])
        _ = place.initialize(from: text.utf8)
        offset += length
        return place
    }

    /// nghttp2 keeps pointers to the name and value (NO_COPY): the list outlives every stream that uses it.
    private static func field(
        _ name: UnsafeMutableBufferPointer<UInt8>,
        _ value: UnsafeMutableBufferPointer<UInt8>,
        isIndexed: Bool
    ) -> nghttp2_nv {
        var flags = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue
        if !isIndexed { flags |= NGHTTP2_NV_FLAG_NO_INDEX.rawValue }
        return nghttp2_nv(
            name: name.baseAddress,
            value: value.baseAddress,
            namelen: name.count,
            valuelen: value.count,
            flags: UInt8(flags)
        )
    }
}
