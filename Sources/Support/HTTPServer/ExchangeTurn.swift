// SPDX-License-Identifier: Apache-2.0

/// What waits for a connection's next turn; a state machine without I/O.
struct ExchangeTurn {
    /// What is to be done about a piece of work.
    enum Placement {
        /// Nothing: it is seen in the turn that goes on, or a resumption is under way.
        case wait
        /// The connection has to be resumed.
        case resume
        /// There will be no further turn.
        case elsewhere
    }

    private var next: UnownedJob?
    /// Behind `next`: only a handler with child tasks has more than one.
    private var further: [UnownedJob] = []
    private var answer: Exchange.Answer?
    private var isAnswered = false
    private var isSuspended = false
    private var isOver = false

    mutating func add(_ job: UnownedJob) -> Placement {
        if isOver { return .elsewhere }
        if next == nil { next = job } else { further.append(job) }
        return wake() ? .resume : .wait
    }

    /// Returns whether the connection has to be resumed.
    mutating func finish(_ answer: Exchange.Answer) -> Bool {
        guard !isAnswered else { return false }
        isAnswered = true
        self.answer = answer
        return wake()
    }

    mutating func takeJob() -> UnownedJob? {
        defer { next = further.isEmpty ? nil : further.removeFirst() }
        return next
    }

    mutating func takeAnswer() -> Exchange.Answer? {
        defer { answer = nil }
        return answer
    }

    /// The connection was suspended; returns whether it has to be resumed at once, for something came meanwhile.
    mutating func suspend() -> Bool {
        isSuspended = next == nil && answer == nil
        return !isSuspended
    }

    /// There will be no further turn; what is left is to be taken.
    mutating func abandon() { isOver = true }

    private mutating func wake() -> Bool {
        defer { isSuspended = false }
        return isSuspended
    }
}
