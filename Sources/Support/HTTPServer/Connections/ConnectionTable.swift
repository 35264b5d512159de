// SPDX-License-Identifier: Apache-2.0

import Bus
import CMicroHTTPD
import CReadTap
import Glibc
import Synchronization

/// The connections of one listener: what bounds them, and what looks at their bytes before libmicrohttpd does.
///
/// libmicrohttpd 0.9.75 locks its polling thread for ever where its own limit is met, so ours comes first.
///
/// `@unchecked`: `served` is touched by libmicrohttpd's thread alone.
final class ConnectionTable: @unchecked Sendable {
    private let book: Mutex<ConnectionBook>
    /// The connections that libmicrohttpd has begun to serve, for its thread, each at its descriptor.
    private var served: [Connection?] = []
    /// Where connections go that are closed while their clients still write.
    let linger: Linger

    private let isTLS: Bool

    init(_ limits: ConnectionLimits, isTLS: Bool, linger: Linger) {
        self.isTLS = isTLS
        book = Mutex(ConnectionBook(limits: limits))
        self.linger = linger
    }

    /// How many are open.
    var count: Int { book.withLock { $0.count } }

    // MARK: From the acceptor's thread

    /// What became of a connection that was accepted.
    enum Entry { case taken, takenForAnother, refused }

    /// Takes a connection in, or says that it is to be closed.
    func admit(_ descriptor: Int32, from address: PeerAddress) -> Entry {
        book.withLock { book in
            switch book.admit(descriptor, from: address, now: .now(), hasInput: Self.hasInput) {
            case .taken(_, let victim?):
                Self.cut(victim)
                return .takenForAnother
            case .taken(_, nil): return .taken
            case .tooManyOfAddress, .full: return .refused
            }
        }
    }

    /// libmicrohttpd did not take the connection.
    func forget(_ descriptor: Int32) { book.withLock { $0.remove(descriptor) } }

    /// Closes those whose clients took too long.
    func closeOverdue() {
        book.withLock { book in
            for connection in book.overdue(now: .now()) { Self.cut(connection) }
        }
    }

    /// Closes the connection that can be missed most, where descriptors have run out.
    func giveWay() { book.withLock { $0.giveWay(now: .now(), Self.hasInput).map(Self.cut) } }

    /// Ends a connection under libmicrohttpd, which then closes it.
    ///
    /// Under the lock: libmicrohttpd tells us before it closes the descriptor, so this is nobody else's.
    private static func cut(_ connection: Connection) { shutdown(connection.descriptor, Int32(SHUT_RDWR)) }

    private static func hasInput(_ connection: Connection) -> Bool {
        var byte: UInt8 = 0
        return recv(connection.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    // MARK: From libmicrohttpd's thread

    /// What libmicrohttpd calls when a connection begins and ends.
    static let callback: MHD_NotifyConnectionCallback = { raw, connection, slot, event in
        guard let raw, let connection, let slot else { return }
        let table = Unmanaged<ConnectionTable>.fromOpaque(raw).takeUnretainedValue()
        switch event {
        case .CONNECTION_NOTIFY_STARTED:
            guard let begun = table.begin(busd_mhd_descriptor(connection)) else { return }
            slot.pointee = Unmanaged.passRetained(begun).toOpaque()
        default:
            guard let held = slot.pointee else { return }
            slot.pointee = nil
            table.end(Unmanaged<Connection>.fromOpaque(held).takeRetainedValue())
        }
    }

    private func begin(_ descriptor: Int32) -> Connection? {
        guard let connection = book.withLock({ $0[descriptor] }) else { return nil }
        let place = Int(descriptor)
        if place >= served.count { served += repeatElement(nil, count: place + 64 - served.count) }
        served[place] = connection
        return connection
    }

    private func end(_ connection: Connection) {
        served[Int(connection.descriptor)] = nil
        // What libmicrohttpd closes now stays open for a while, and its client waits for the end.
        if connection.lingers { shutdown(connection.descriptor, Int32(SHUT_WR)) }
        book.withLock { $0.remove(connection.descriptor) }
    }

    /// Shows what libmicrohttpd reads to the connection's scanner; on the thread that drives it.
    static let tap: busd_read_tap = { raw, descriptor, session, bytes, count in
        guard let raw else { return count }
        let table = Unmanaged<ConnectionTable>.fromOpaque(raw).takeUnretainedValue()
        // What GnuTLS reads for itself, as in a handshake, is ciphertext.
        guard (session != nil) == table.isTLS, let connection = table.connection(descriptor) else { return count }
        if let fault = connection.fault { return table.refuse(fault, connection, session) }
        guard count > 0, !connection.isLost else { return min(count, 0) }
        let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
        return table.look(at: bytes, of: connection, session: session)
    }

    private func connection(_ descriptor: Int32) -> Connection? {
        let place = Int(descriptor)
        return served.indices.contains(place) ? served[place] : nil
    }

    /// Returns how many of the bytes libmicrohttpd may see; 0 ends the connection.
    private func look(
        at bytes: UnsafeRawBufferPointer,
        of connection: Connection,
        session: UnsafeMutableRawPointer?
    ) -> Int {
        connection.isScanned = true
        switch connection.scanner.take(bytes) {
        case .good(let endsRequest):
            connection.enter(endsRequest ? .running : connection.scanner.phase, now: .now())
            return bytes.count
        case .ambiguous(let begin):
            // The head is for libmicrohttpd, so that the answer is in its callers' words; nothing behind it is.
            connection.isLost = true
            connection.enter(.running, now: .now())
            return begin
        case .bad(let fault, from: 0): return refuse(fault, connection, session)
        case .bad(let fault, let begin):
            // The requests before it are answered first. Then libmicrohttpd reads again, and finds the end.
            connection.fault = fault
            connection.enter(.running, now: .now())
            shutdown(connection.descriptor, Int32(SHUT_RD))
            return begin
        }
    }

    private func refuse(_ fault: FramingFault, _ connection: Connection, _ session: UnsafeMutableRawPointer?) -> Int {
        let answer = fault.answer
        busd_send_aside(connection.descriptor, session, answer, answer.count)
        linger.begin(connection)
        return 0
    }
}

extension RequestScanner {
    /// What a connection waits for that has no request under way.
    var phase: Connection.Phase {
        switch position {
        case .between: .idle
        case .head: .head
        case .body: .body
        }
    }
}
