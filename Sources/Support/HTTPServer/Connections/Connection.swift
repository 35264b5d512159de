// SPDX-License-Identifier: Apache-2.0

import Bus
import CMicroHTTPD
import Synchronization

/// One client's connection, from its acceptance until libmicrohttpd closes it.
///
/// `@unchecked`: `phase` is read by everybody; `place` and `isClosing` belong to the ``ConnectionBook``, under its
/// lock; the rest is touched by libmicrohttpd's thread alone.
final class Connection: @unchecked Sendable {
    /// What the connection waits for.
    enum Phase: UInt64 {
        /// The first byte of a request.
        case idle
        /// The end of a request's head.
        case head
        /// The end of a request's body.
        case body
        /// Us: a request is complete, its answer is not on its way.
        case running

        /// Whether the client is the one that keeps it waiting.
        var isWaiting: Bool { self != .running }
    }

    let descriptor: Int32
    let address: PeerAddress
    /// The phase, when it began, and whether it is proven, in one word: milliseconds, times eight.
    private let packed: Atomic<UInt64>

    /// Where it is among the connections of its address.
    var place = 0
    /// Whether it was told to close.
    var isClosing = false

    var scanner: RequestScanner
    /// What was wrong with a request that came behind others, which are answered first.
    var fault: FramingFault?
    /// Whether nobody can say where its next request begins.
    var isLost = false
    /// Whether the bytes that libmicrohttpd got passed the scanner.
    var isScanned = false
    /// Whether a second descriptor outlives libmicrohttpd's.
    var lingers = false
    /// Who called, once the certificate of a TLS connection was verified.
    var peer: HTTPPeer?

    init(descriptor: Int32, address: PeerAddress, memory: Int, now: MonotonicTime) {
        self.descriptor = descriptor
        self.address = address
        scanner = RequestScanner(memory: memory)
        packed = Atomic(Self.pack(.idle, now, isProven: false))
    }

    /// The one that belongs to libmicrohttpd's; on its thread.
    static func of(_ connection: OpaquePointer) -> Connection? {
        busd_mhd_socket_context(connection).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    private static func pack(_ phase: Phase, _ now: MonotonicTime, isProven: Bool) -> UInt64 {
        ((now.nanoseconds / 1_000_000) << 3) | (isProven ? 4 : 0) | phase.rawValue
    }

    /// What it waits for, and since when.
    var phase: (Phase, since: MonotonicTime) {
        let packed = packed.load(ordering: .relaxed)
        return (Phase(rawValue: packed & 3) ?? .running, MonotonicTime(nanoseconds: (packed >> 3) * 1_000_000))
    }

    /// Whether a request of it was complete: it is somebody's who had something to say.
    var isProven: Bool { packed.load(ordering: .relaxed) & 4 != 0 }

    /// A phase begins, or goes on.
    func enter(_ phase: Phase, now: MonotonicTime) {
        guard self.phase.0 != phase || phase == .idle else { return }
        packed.store(Self.pack(phase, now, isProven: isProven || phase == .running), ordering: .relaxed)
    }
}
