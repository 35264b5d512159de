// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Sockets for clients and servers that write exactly the bytes they are told to.
public enum LoopbackSocket {
    /// Why there is none.
    public struct Failure: Error, CustomStringConvertible {
        /// What the system said.
        public let description: String
    }

    /// Connects to a port of this machine; reads and writes give up after so many seconds.
    public static func connect(to port: UInt16, seconds: Int = 20) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var timeout = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = loopback(port)
        let result = withGeneric(&address) { Glibc.connect(descriptor, $0, $1) }
        guard result == 0 else {
            defer { close(descriptor) }
            throw Failure(description: "connect: \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    /// Listens on a port that the system picks.
    public static func listen() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withGeneric(&address) { generic, size in
            bind(descriptor, generic, size) == 0 && Glibc.listen(descriptor, 16) == 0
                && getsockname(descriptor, generic, &length) == 0
        }
        guard isListening else { throw Failure(description: "listen: \(String(cString: strerror(errno)))") }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// A port that nobody listens on.
    public static func unusedPort() throws -> UInt16 {
        let (descriptor, port) = try listen()
        close(descriptor)
        return port
    }

    /// Writes all of it; `false` where the far end has closed.
    public static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits until there is something to read, or the far end has closed.
    public static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) == 1
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private static func withGeneric<Result>(
        _ address: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
