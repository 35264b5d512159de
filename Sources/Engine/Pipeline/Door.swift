// SPDX-License-Identifier: Apache-2.0

public import Bus
import Synchronization

/// One module's doorkeeper: counts whom it turned away, and shares with the others what is known of callers.
public final class Door: Doorkeeper {
    /// The name of the module in metrics.
    public let label: String
    private let callers: Callers
    private let ledger: (any OnceLedger)?
    private let log: Log
    private let counts: Mutex<[CallRefusal: Int]>

    /// What the doors of a pipeline, or of a node, know together of callers.
    public final class Callers: Sendable {
        fileprivate let book = Mutex(CallerBook())

        /// Knows nobody yet.
        public init() {}
    }

    /// Opens a door; without a ledger, nothing can be used once there.
    public init(label: String, callers: Callers, ledger: (any OnceLedger)? = nil, log: Log) {
        self.label = label
        self.callers = callers
        self.ledger = ledger
        self.log = log
        counts = Mutex([:])
    }

    /// How many calls were refused since the start, by reason; those that never came about are left out.
    public var refusedCalls: [(reason: CallRefusal, count: Int)] {
        let counts = counts.withLock { $0 }
        return CallRefusal.allCases.compactMap { reason in counts[reason].map { (reason, $0) } }
    }

    /// Takes note of a refused call.
    public func refused(_ request: HTTPRequest, at place: String, because reason: CallRefusal) -> Duration {
        counts.withLock { $0[reason, default: 0] += 1 }
        let note = callers.book.withLock {
            $0.refused(request.peer.network, isGuess: reason.isGuess, now: .now())
        }
        if let silent = note.line {
            log.warning(
                "a call was refused",
                [
                    "reason": reason.rawValue, "peer": request.peer.address, "method": request.method, "path": place,
                    "moreSinceLastLine": "\(silent)",
                ]
            )
        }
        return note.delay
    }

    /// Takes a key that may be used once.
    public func once(_ key: [UInt8], until: WallTime) async -> OneUse {
        guard let ledger else { return .unavailable(retryAfter: 5) }
        let disk = DiskReceipt()
        let verdict = await completed { (completion: @escaping Completion<Bool>) in
            ledger.once(HashedKey(key), until: until, verdict: completion) { disk.arrive($0) }
        }
        switch verdict {
        case .success(true): return .first { await disk.isKept() }
        case .success(false): return .again
        case .failure(.overloaded): return .unavailable(retryAfter: 5)
        case .failure: return .unavailable(retryAfter: 1)
        }
    }
}

/// The ledger's word that something is on disk, for one who may wait for it later or not at all.
private final class DiskReceipt: Sendable {
    private enum State {
        case open
        case awaited(UnsafeContinuation<Bool, Never>)
        case arrived(Bool)
    }

    private let state = Mutex(State.open)

    func arrive(_ result: Result<Void, LedgerError>) {
        let isKept = if case .success = result { true } else { false }
        let waiter: UnsafeContinuation<Bool, Never>? = state.withLock { state in
            defer { state = .arrived(isKept) }
            if case .awaited(let waiter) = state { return waiter }
            return nil
        }
        waiter?.resume(returning: isKept)
    }

    /// Waits for it; one may, and once.
    func isKept() async -> Bool {
        await withUnsafeContinuation { continuation in
            let known: Bool? = state.withLock { state in
                if case .arrived(let isKept) = state { return isKept }
                state = .awaited(continuation)
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
    }
}
