// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// One caller's wish to write.
///
/// An object, because it passes through several queues and a value of this size costs a dozen retains each time.
final class WriteJob: Sendable {
    enum Work: Sendable {
        case accept(AcceptJob)
        /// From an index on: a long one is written in several transactions.
        case settle([Settlement], from: Int, Completion<[Bool]>)
        case subscribe(NewSubscription, Completion<Int>)
        case refresh(SubscriptionRefresh, Completion<Int?>)
        case end([SubscriptionEnd], Completion<Int>)
        case endAll(RecipientID, PipelineNumber, Completion<Int>)
        case pipeline(String, Completion<PipelineNumber>)
        /// Anything that is rarer than those above.
        case errand(WriteErrand)
        /// Remembers how far a pipeline was swept.
        case swept(PipelineNumber, until: WallTime)
        /// Lets the checkpointer have the file to itself.
        case pause(Pause)

        /// Whether it brings something new to keep: a disk that is nearly full has no room for it.
        var isNew: Bool {
            switch self {
            case .accept, .subscribe: true
            case .settle, .refresh, .end, .endAll, .pipeline, .errand, .swept, .pause: false
            }
        }
    }

    let work: Work
    /// What it counts for in its admission.
    let weight: Int
    /// What let it in; `nil` for the ledger's own errands.
    let admission: Admission?

    init(work: Work, weight: Int, admission: Admission?) {
        self.work = work
        self.weight = weight
        self.admission = admission
    }

    static func pausing(_ pause: Pause) -> WriteJob { WriteJob(work: .pause(pause), weight: 0, admission: nil) }

    static func remembering(_ pipeline: PipelineNumber, sweptUntil: WallTime) -> WriteJob {
        WriteJob(work: .swept(pipeline, until: sweptUntil), weight: 0, admission: nil)
    }

    /// From what weight on an accept is large: it has a transaction of its own, and everybody waits for that.
    static let largeWeight = 1_000

    /// Whether it is such a large accept.
    var isLarge: Bool { if case .accept = work { weight >= Self.largeWeight } else { false } }

    /// Whether it goes before bulk: urgent notifications, and the rare calls that a person or an app waits for.
    var isUrgent: Bool {
        switch work {
        case .accept(let job): job.acceptance.notification.isUrgent
        case .settle, .swept: false
        case .errand(let errand): errand.isUrgent
        case .subscribe, .refresh, .end, .endAll, .pipeline, .pause: true
        }
    }

    /// Completes it with an error.
    func fail(_ error: LedgerError) {
        switch work {
        case .accept(let job): job.completion(.failure(error))
        case .settle(_, _, let completion): completion(.failure(error))
        case .subscribe(_, let completion): completion(.failure(error))
        case .refresh(_, let completion): completion(.failure(error))
        case .end(_, let completion): completion(.failure(error))
        case .endAll(_, _, let completion): completion(.failure(error))
        case .pipeline(_, let completion): completion(.failure(error))
        case .errand(let errand): errand.fail(error)
        case .swept: break
        case .pause(let pause): pause.skip()
        }
    }
}

/// What a job came to, kept until its transaction is committed.
enum WriteResult {
    case accepted(AcceptanceResult)
    case settled
    case subscribed(Int)
    case refreshed(Int?)
    case ended(Int)
    case pipeline(PipelineNumber)
    case errand(() -> Void)
    case nothing
}

extension WriteJob {
    /// Completes it with its result.
    func succeed(_ result: WriteResult) {
        switch (work, result) {
        case (.accept(let job), .accepted(let value)): job.completion(.success(value))
        case (.settle(let settlements, _, let completion), .settled):
            completion(.success([Bool](repeating: true, count: settlements.count)))
        case (.subscribe(_, let completion), .subscribed(let count)): completion(.success(count))
        case (.refresh(_, let completion), .refreshed(let value)): completion(.success(value))
        case (.end(_, let completion), .ended(let count)): completion(.success(count))
        case (.endAll(_, _, let completion), .ended(let count)): completion(.success(count))
        case (.pipeline(_, let completion), .pipeline(let number)): completion(.success(number))
        case (.errand, .errand(let complete)): complete()
        default: break
        }
    }
}
