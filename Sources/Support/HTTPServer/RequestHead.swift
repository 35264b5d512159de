// SPDX-License-Identifier: Apache-2.0

import Bus
import CMicroHTTPD
import Glibc

/// Copies a request's line and headers out of libmicrohttpd's memory.
enum RequestHead {
    static func read(target: String, method: UnsafePointer<CChar>, connection: OpaquePointer) -> HTTPRequest {
        let (path, query) = split(target)
        let isHead = strcmp(method, "HEAD") == 0
        var request = HTTPRequest(method: isHead ? "GET" : String(cString: method), path: path, query: query)
        withUnsafeMutablePointer(to: &request.headers) { headers in
            _ = MHD_get_connection_values_n(connection, .HEADER_KIND, collect, headers)
        }
        request.peer = peer(of: connection)
        return request
    }

    /// Splits at the `?`; of an absolute target, as proxies send it, the scheme and host are cut.
    static func split(_ target: String) -> (path: String, query: String) {
        if target.utf8.first == Octet.slash {
            // Nearly always.
            guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (target, "") }
            return (String(target[..<mark]), String(target[target.utf8.index(after: mark)...]))
        }
        var rest = Substring(target)
        if let scheme = rest.firstRange(of: "://") {
            rest = rest[scheme.upperBound...]
            rest = rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...]
        }
        guard let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            return (String(rest), "")
        }
        return (String(rest[..<mark]), String(rest[rest.utf8.index(after: mark)...]))
    }

    private static let collect: MHD_KeyValueIteratorN = { raw, _, name, nameSize, value, valueSize in
        guard let headers = raw?.assumingMemoryBound(to: HTTPHeaders.self), let name else { return .NO }
        name.withMemoryRebound(to: UInt8.self, capacity: nameSize) { name in
            let name = UnsafeBufferPointer(start: name, count: nameSize)
            guard let value else {
                return headers.pointee.add(name: name, value: UnsafeBufferPointer(start: nil, count: 0))
            }
            value.withMemoryRebound(to: UInt8.self, capacity: valueSize) { value in
                headers.pointee.add(name: name, value: UnsafeBufferPointer(start: value, count: valueSize))
            }
        }
        return .YES
    }

    private static func peer(of connection: OpaquePointer) -> HTTPPeer {
        var peer = TLSClient.peer(of: connection)
        guard let address = busd_mhd_peer(connection) else { return peer }
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET: peer.setAddress(version4: raw.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr)
        case AF_INET6:
            // The 16 bytes of the address follow family, port and flow label.
            peer.setAddress(
                version6: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                raw.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
            )
        default: break
        }
        return peer
    }
}

/// What the headers say about the body.
struct BodyFraming {
    /// The announced length; 0 where there is none.
    let length: Int
    let hasBody: Bool
    let expectsContinue: Bool
    /// Two lengths, or a length and chunks, or chunks within something else: two readers would see two different
    /// requests (RFC 9112 §6.3), so it is refused.
    ///
    /// The ``RequestScanner`` found the same, and holds back what follows.
    let isAmbiguous: Bool

    init(_ headers: HTTPHeaders) {
        let announced = headers["Content-Length"]
        let coding = headers["Transfer-Encoding"]
        let isChunked = coding != nil
        let isPlain = announced?.utf8.allSatisfy { (0x30...0x39).contains($0) } ?? true
        length = announced.map { Int($0) ?? Int.max } ?? 0
        hasBody = isChunked || length > 0
        expectsContinue = headers["Expect"] != nil
        isAmbiguous =
            if let coding {
                announced != nil || coding.lowercased() != "chunked" || headers.count(of: "Transfer-Encoding") > 1
            } else {
                announced != nil && (!isPlain || headers.count(of: "Content-Length") > 1)
            }
    }
}
