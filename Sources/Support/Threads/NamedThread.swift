// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A thread of our own, for work that blocks: Swift's pool has a thread for each core and must never wait.
///
/// `@unchecked`: `handle` is written once, before the object is shared; ``join()`` is called by one owner.
public final class NamedThread: @unchecked Sendable {
    private final class Body {
        let run: @Sendable () -> Void
        let name: String
        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    private var handle = pthread_t()
    private var isJoined = false

    /// Starts a thread; the first 15 bytes of `name` are what `top -H` and a debugger show.
    public init(_ name: String, _ run: @escaping @Sendable () -> Void) {
        let body = Unmanaged.passRetained(Body(name: String(name.prefix(15)), run: run)).toOpaque()
        let failure = pthread_create(&handle, nil, Self.start, body)
        precondition(failure == 0, "the system refused a thread (\(failure))")
    }

    /// A thread that nobody joins gives its stack back by itself when its work has returned.
    deinit {
        if !isJoined { pthread_detach(handle) }
    }

    /// Waits until the thread's work has returned; a second call returns at once.
    public func join() {
        guard !isJoined else { return }
        isJoined = true
        pthread_join(handle, nil)
    }

    private static let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { raw in
        guard let raw else { return nil }
        let body = Unmanaged<Body>.fromOpaque(raw).takeRetainedValue()
        busd_name_thread(body.name)
        body.run()
        return nil
    }
}
