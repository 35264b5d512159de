// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import Synchronization
internal import Threads

/// A socket address as the system wants it.
typealias Address = [UInt8]

/// Looks up names on a thread of its own, for `getaddrinfo` blocks.
///
/// Asked anew before every connection, so that a provider can move its traffic.
final class Resolver: Sendable {
    private struct Question: Sendable {
        let host: String
        let port: UInt16
        let answer: @Sendable (Result<[Address], HTTP2Failure>) -> Void
    }

    private let questions = Mailbox<Question>(capacity: 1024)
    private let isStarted = Atomic(false)

    deinit { questions.close() }

    /// The address, where `host` is one already.
    static func numeric(_ host: String, _ port: UInt16) -> Address? {
        guard case .success(let found) = lookUp(host, port, flags: AI_NUMERICHOST) else { return nil }
        return found.first
    }

    /// Answers on the resolver's thread, or at once where too many wait.
    func resolve(
        _ host: String,
        _ port: UInt16,
        _ answer: @escaping @Sendable (Result<[Address], HTTP2Failure>) -> Void
    ) {
        if !isStarted.exchange(true, ordering: .relaxed) { start() }
        if !questions.post(Question(host: host, port: port, answer: answer)) {
            answer(.failure(HTTP2Failure(.connect, "too many names wait to be looked up")))
        }
    }

    /// The thread ends by itself once the resolver is gone: a lookup may take longer than anyone wants to wait.
    private func start() {
        let questions = questions
        _ = NamedThread("busd-dns") {
            while let waiting = questions.take() {
                for next in waiting { next.answer(Self.lookUp(next.host, next.port, flags: 0)) }
            }
        }
    }

    private static func lookUp(_ host: String, _ port: UInt16, flags: Int32) -> Result<[Address], HTTP2Failure> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = flags | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, String(port), &hints, &list)
        guard failure == 0 else {
            return .failure(HTTP2Failure(.connect, String(cString: gai_strerror(failure)).lowercased()))
        }
        defer { freeaddrinfo(list) }
        var found: [Address] = []
        var next = list
        while let entry = next, found.count < 32 {
            if let address = entry.pointee.ai_addr {
                found.append(Address(UnsafeRawBufferPointer(start: address, count: Int(entry.pointee.ai_addrlen))))
            }
            next = entry.pointee.ai_next
        }
        return .success(found)
    }
}
