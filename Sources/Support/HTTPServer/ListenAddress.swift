// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A numeric address and a port to listen on: `127.0.0.1:8080`, `[::1]:8080`; port 0 lets the kernel pick.
public struct ListenAddress: Sendable, CustomStringConvertible {
    /// The address without brackets.
    public let host: String
    /// The port.
    public let port: UInt16
    private let isVersion6: Bool

    /// Reads an address.
    ///
    /// - Throws: ``HTTPServerError`` that says what is wrong with the text.
    public init(_ text: String) throws(HTTPServerError) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = UInt16(text[text.utf8.index(after: colon)...])
        else { throw HTTPServerError("'\(text)' is not an address with a port, for instance 127.0.0.1:8080") }
        var host = text[..<colon]
        let isBracketed = host.first == "[" && host.last == "]" && host.count > 2
        if isBracketed { host = host.dropFirst().dropLast() }
        self.host = String(host)
        self.port = port
        isVersion6 = isBracketed
        guard isValid else {
            throw HTTPServerError("'\(text)': the address must be numeric, for instance 127.0.0.1 or [::1]")
        }
    }

    private init(host: String, port: UInt16, isVersion6: Bool) {
        self.host = host
        self.port = port
        self.isVersion6 = isVersion6
    }

    /// The address as it is written in a configuration.
    public var description: String { isVersion6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The same host with the port that the kernel picked.
    func with(port: UInt16) -> ListenAddress { ListenAddress(host: host, port: port, isVersion6: isVersion6) }

    private var isValid: Bool {
        var buffer = in6_addr()
        return inet_pton(isVersion6 ? AF_INET6 : AF_INET, host, &buffer) == 1
    }

    /// Opens a listening socket.
    func listen(backlog: Int32) throws(HTTPServerError) -> ListeningSocket {
        let descriptor = socket(isVersion6 ? AF_INET6 : AF_INET, streamType, 0)
        guard descriptor >= 0 else { throw failure("no socket") }
        let socket = ListeningSocket(descriptor: descriptor)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        if isVersion6 {
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        guard bind(descriptor) == 0 else { throw failure("cannot listen") }
        guard Glibc.listen(descriptor, backlog) == 0 else { throw failure("cannot listen") }
        return socket
    }

    private var streamType: Int32 {
        Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    }

    private func failure(_ what: String) -> HTTPServerError {
        HTTPServerError("\(self): \(what): \(String(cString: strerror(errno)))")
    }

    private func bind(_ descriptor: Int32) -> Int32 {
        if isVersion6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            inet_pton(AF_INET6, host, &address.sin6_addr)
            return bind(descriptor, &address, MemoryLayout<sockaddr_in6>.size)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return bind(descriptor, &address, MemoryLayout<sockaddr_in>.size)
    }

    private func bind(_ descriptor: Int32, _ address: UnsafeRawPointer, _ size: Int) -> Int32 {
        Glibc.bind(descriptor, address.assumingMemoryBound(to: sockaddr.self), socklen_t(size))
    }
}

/// The socket clients connect to; closed when the last owner lets go.
final class ListeningSocket: Sendable {
    let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// The port the socket is bound to.
    var port: UInt16 {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutableBytes(of: &address) { bytes in
            getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
        }
        // Both families keep the port in the same place.
        return result == 0 ? UInt16(bigEndian: address.sin6_port) : 0
    }

    /// Refuses new connections at once, also those the kernel has queued; the descriptor stays reserved.
    func refuse() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
