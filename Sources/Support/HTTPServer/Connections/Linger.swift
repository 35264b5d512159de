// SPDX-License-Identifier: Apache-2.0

import Bus
import CMicroHTTPD
import Glibc
import Synchronization

/// Keeps connections open a little longer than libmicrohttpd does, and throws away what still comes.
///
/// A client that is still writing when its answer comes, and its connection is closed, gets a reset; and a reset takes
/// the answer with it. So a second descriptor of the socket outlives libmicrohttpd's.
final class Linger: Sendable {
    private struct Guest {
        let descriptor: Int32
        let until: MonotonicTime
    }

    /// Twice as many where new ones come during a turn.
    private static let mostGuests = 256
    private static let patience: Int64 = 2_000

    private let guests = Mutex<[Guest]>([])

    deinit { end() }

    /// Keeps a connection that is about to be closed; above the bound it is not kept.
    func begin(_ connection: Connection) {
        guests.withLock { guests in
            guard guests.count < Self.mostGuests else { return }
            let copy = fcntl(connection.descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { return }
            connection.lingers = true
            guests.append(Guest(descriptor: copy, until: .now().adding(milliseconds: Self.patience)))
        }
    }

    /// Throws away what came, and lets those go whose client has closed or whose time is over.
    ///
    /// - Returns: whether any are left.
    func turn(now: MonotonicTime) -> Bool {
        // Not under the lock: libmicrohttpd's thread would wait while clients as fast as the machine are read from.
        var left = guests.withLock { guests in
            defer { guests = [] }
            return guests
        }
        left.removeAll { guest in
            let isOver = now >= guest.until || Self.isClosed(guest.descriptor)
            if isOver { close(guest.descriptor) }
            return isOver
        }
        return guests.withLock { guests in
            guests += left
            return !guests.isEmpty
        }
    }

    /// Lets all go.
    func end() { _ = turn(now: .distantFuture) }

    private static func isClosed(_ descriptor: Int32) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { room in
            // Bounded, for a fast client must not keep the acceptor.
            for _ in 0..<64 {
                let count = recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
                if count == 0 { return true }
                if count < 0 { return errno != EAGAIN && errno != EINTR }
            }
            return false
        }
    }
}
