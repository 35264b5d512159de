// SPDX-License-Identifier: Apache-2.0

/// What the writer took and has not begun: urgent work apart from bulk, large accepts apart from both, each in its order.
struct Backlog {
    private var urgent = Line()
    private var bulk = Line()
    private var largeUrgent = Line()
    private var large = Line()
    private var pauses: [Pause] = []
    /// Whether the front of `bulk` is the rest of a job begun in the transaction that is open.
    private var isFrontBegun = false

    var isEmpty: Bool { !hasSmall && !hasLarge && pauses.isEmpty }
    var hasSmall: Bool { !urgent.isEmpty || !bulk.isEmpty }
    var hasLarge: Bool { !largeUrgent.isEmpty || !large.isEmpty }

    mutating func add(_ jobs: [WriteJob]) {
        for job in jobs {
            if case .pause(let pause) = job.work {
                pauses.append(pause)
            } else if job.isLarge {
                if job.isUrgent { largeUrgent.append(job) } else { large.append(job) }
            } else if job.isUrgent {
                urgent.append(job)
            } else {
                bulk.append(job)
            }
        }
    }

    mutating func takePause() -> Pause? { pauses.popLast() }
    mutating func takeUrgent() -> WriteJob? { urgent.take() }
    mutating func takeBulk() -> WriteJob? { bulk.take() }
    mutating func takeLarge() -> WriteJob? { largeUrgent.take() ?? large.take() }

    /// Keeps the rest of a long job for the next transaction.
    mutating func putBack(_ rest: WriteJob) {
        bulk.putBack(rest)
        isFrontBegun = true
    }

    /// The open transaction was committed.
    mutating func noteCommitted() { isFrontBegun = false }

    /// The open transaction failed: takes the rest of a job that it had begun.
    mutating func takeBegun() -> WriteJob? {
        guard isFrontBegun else { return nil }
        isFrontBegun = false
        return bulk.take()
    }

    private struct Line {
        private var jobs: [WriteJob?] = []
        private var front = 0

        var isEmpty: Bool { front == jobs.count }

        mutating func append(_ job: WriteJob) { jobs.append(job) }

        mutating func take() -> WriteJob? {
            guard front < jobs.count else { return nil }
            let job = jobs[front]
            jobs[front] = nil
            front += 1
            if front == jobs.count {
                jobs.removeAll(keepingCapacity: front < 4_096)
                front = 0
            }
            return job
        }

        mutating func putBack(_ job: WriteJob) {
            if front > 0 {
                front -= 1
                jobs[front] = job
            } else {
                jobs.insert(job, at: 0)
            }
        }
    }
}
