// SPDX-License-Identifier: Apache-2.0

/// The name of a stream of a server, valid until the stream is answered or gone.
public struct HTTP2ServerStream: Sendable, Hashable {
    /// Counts connections from 1.
    public let connection: UInt64
    /// The stream's number on its connection.
    public let number: Int32
}

/// A whole request.
///
/// Header fields are kept as bytes and become strings only when asked for.
public struct HTTP2ServerRequest: Sendable {
    /// Where to send what is decided later.
    public let stream: HTTP2ServerStream
    /// Subject of the client's verified certificate.
    public let clientSubject: String?
    /// The body, up to the configured limit.
    public let body: [UInt8]
    /// Whether the body was longer than is kept.
    public let isBodyTruncated: Bool
    let fields: FieldStore

    /// The `:method`.
    public var method: String { header(":method") ?? "" }
    /// The `:path`.
    public var path: String { header(":path") ?? "" }
    /// The first value of a field, by its lower-case name.
    public func header(_ name: String) -> String? { fields[name] }
    /// All fields in their order, pseudo headers included.
    public var headers: [HTTP2Header] { fields.all }
}

/// Header fields as they came, in one array of bytes.
struct FieldStore: Sendable {
    private struct Place: Sendable {
        let start: Int32
        let name: Int32
        let value: Int32
        let isIndexed: Bool
    }

    private static let limit = 32 * 1024
    private var bytes: [UInt8] = []
    private var places: [Place] = []

    /// Keeps a field while there is room.
    mutating func append(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, isIndexed: Bool) {
        guard bytes.count + name.count + value.count <= Self.limit else { return }
        if bytes.isEmpty {
            bytes.reserveCapacity(768)
            places.reserveCapacity(12)
        }
        places.append(
            Place(
                start: Int32(bytes.count),
                name: Int32(name.count),
                value: Int32(value.count),
                isIndexed: isIndexed
            )
        )
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: value)
    }

    subscript(name: String) -> String? {
        let wanted = name.utf8
        for place in places where Int(place.name) == wanted.count {
            let start = Int(place.start)
            let middle = start + Int(place.name)
            guard bytes[start..<middle].elementsEqual(wanted) else { continue }
            return String(decoding: bytes[middle..<(middle + Int(place.value))], as: UTF8.self)
        }
        return nil
    }

    var all: [HTTP2Header] {
        places.map { place in
            let start = Int(place.start)
            let middle = start + Int(place.name)
            return HTTP2Header(
                String(decoding: bytes[start..<middle], as: UTF8.self),
                String(decoding: bytes[middle..<(middle + Int(place.value))], as: UTF8.self),
                isIndexed: place.isIndexed
            )
        }
    }
}
