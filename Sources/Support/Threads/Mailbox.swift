// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Glibc

/// A bounded queue between any number of producers and the one thread that empties it.
///
/// A producer never waits: ``post(_:)`` says whether there was room. The consumer takes all that has gathered in
/// one call, so the cost of a wake-up is shared by everything that arrived meanwhile.
///
/// `@unchecked`: `items`, `isClosed` and `isWaiting` are touched only with `mutex` held. The mutex and the condition
/// live in memory of their own because POSIX forbids moving them.
public final class Mailbox<Element: Sendable>: @unchecked Sendable {
    @usableFromInline let capacity: Int
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let condition: UnsafeMutablePointer<pthread_cond_t>
    @usableFromInline var items: [Element] = []
    @usableFromInline var isClosed = false
    @usableFromInline var isWaiting = false

    /// Creates an empty mailbox that holds at most `capacity` elements.
    public init(capacity: Int) {
        self.capacity = capacity
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// The number of elements waiting now.
    public var count: Int { locked { items.count } }

    /// Adds an element; returns `false`, and drops it, where the mailbox is full or closed.
    @inlinable
    @discardableResult
    public func post(_ element: Element) -> Bool {
        locked {
            guard !isClosed, items.count < capacity else { return false }
            items.append(element)
            wake()
            return true
        }
    }

    /// Adds an element whatever the bound says; returns `false` only where the mailbox is closed.
    ///
    /// For answers to work that was itself admitted under a bound: refusing them would lose the outcome.
    @inlinable
    @discardableResult
    public func postAlways(_ element: Element) -> Bool {
        locked {
            guard !isClosed else { return false }
            items.append(element)
            wake()
            return true
        }
    }

    /// Adds elements as ``postAlways(_:)`` does, with one wake-up for all.
    @inlinable
    @discardableResult
    public func postAlways(contentsOf elements: [Element]) -> Bool {
        guard !elements.isEmpty else { return true }
        return locked {
            guard !isClosed else { return false }
            items.append(contentsOf: elements)
            wake()
            return true
        }
    }

    /// Waits until there is something, the mailbox is closed, or `deadline` has passed; returns all there is.
    ///
    /// - Parameter deadline: how long to wait; `nil` waits without end.
    /// - Returns: an empty array when the deadline passed, `nil` once closed and emptied.
    @inlinable
    public func take(until deadline: MonotonicTime? = nil) -> [Element]? {
        locked {
            while items.isEmpty, !isClosed {
                isWaiting = true
                defer { isWaiting = false }
                guard let deadline else {
                    pthread_cond_wait(condition, mutex)
                    continue
                }
                let (seconds, rest) = deadline.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
                var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
                if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { break }
            }
            if items.isEmpty { return isClosed ? nil : [] }
            var taken: [Element] = []
            swap(&taken, &items)
            return taken
        }
    }

    /// Refuses further elements; what is inside can still be taken.
    public func close() {
        locked {
            isClosed = true
            wake()
        }
    }

    @inlinable
    func wake() {
        if isWaiting { pthread_cond_signal(condition) }
    }

    @inlinable
    func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
