// SPDX-License-Identifier: Apache-2.0

import Bus

/// A provider, a gateway or a bank: whether it may be used, and what operators are told of it.
struct FarEnd {
    /// How it is spoken of.
    struct Words: Sendable {
        /// What is suspended: "channel".
        let kind: String
        /// Who it is: "the far end".
        let name: String
        /// What follows from a failure: "deliveries are tried again".
        let afterFailure: String
        /// What follows from silence.
        let afterSilence: String
        /// That it works again.
        let works: String
        /// Whether operators are told so after every failure that they were told of, or after a suspension only.
        let tellsEveryRecovery: Bool
    }

    /// A line for operators.
    struct Note: Equatable {
        let level: Log.Level
        let message: String
        /// Whether it says that the far end was suspended.
        var isSuspension = false
    }

    /// How often failures that suspend nothing are told, in milliseconds: thousands may fail in a second.
    private static let interval: Int64 = 60_000

    private let words: Words
    private(set) var health = ChannelHealth()
    /// Whether an operator stopped it.
    private(set) var isPaused: Bool
    /// From when on a failure is told again.
    private var tellsFrom = MonotonicTime.distantPast

    init(_ words: Words, isPaused: Bool) {
        self.words = words
        self.isPaused = isPaused
    }

    /// Whether neither an operator nor a fault stops it.
    var isUsable: Bool { !isPaused && health.isWorking }

    /// An operator stopped it, or lets it go on: then it is probed at once.
    mutating func pause(_ isPaused: Bool, at now: MonotonicTime) {
        self.isPaused = isPaused
        if !isPaused { health.tryNow(at: now) }
    }

    /// Asks for one call: while it is suspended, for the probe.
    mutating func admits(at now: MonotonicTime) -> Bool { !isPaused && health.admits(at: now) }

    /// Takes back a call that was not made.
    mutating func withdraw(at now: MonotonicTime) { health.withdraw(at: now) }

    /// Draws from an outcome what it says of the far end; returns what operators are to be told.
    mutating func take(_ outcome: Outcome, to began: MonotonicTime, at now: MonotonicTime) -> [Note] {
        switch outcome {
        case .accepted: return answered(to: began, hasTaken: true, at: now)
        case .rejected, .gone, .retry(_, .delivery, _): return answered(to: began, hasTaken: false, at: now)
        case .retry(let after?, .provider, _):
            // It asked to be left alone: all of it is.
            return suspend(.warning, "\(words.name) asked for it", minimum: Backoff.clamped(after), at: now)
        case .retry(nil, .provider, _): return failed("\(words.name) fails", words.afterFailure, at: now)
        case .unknown: return failed("\(words.name) is silent", words.afterSilence, at: now)
        case .unavailable: return suspend(.error, "it cannot be used", minimum: 0, at: now)
        }
    }

    private mutating func answered(to began: MonotonicTime, hasTaken: Bool, at now: MonotonicTime) -> [Note] {
        let worksAgain = health.answered(to: began, at: now)
        let hadFailed = words.tellsEveryRecovery && hasTaken && tellsFrom > .distantPast && health.isWorking
        guard worksAgain || hadFailed else { return [] }
        if words.tellsEveryRecovery { tellsFrom = .distantPast }
        return [Note(level: .info, message: words.works)]
    }

    private mutating func failed(_ what: String, _ consequence: String, at now: MonotonicTime) -> [Note] {
        var notes: [Note] = []
        if health.isWorking, now >= tellsFrom {
            tellsFrom = now.adding(milliseconds: Self.interval)
            notes.append(Note(level: .warning, message: "\(what): \(consequence)"))
        }
        if health.failed(at: now) { notes.append(suspension(.warning, what)) }
        return notes
    }

    private mutating func suspend(_ level: Log.Level, _ why: String, minimum: Int64, at now: MonotonicTime) -> [Note] {
        let wasWorking = health.isWorking
        health.suspend(at: now, minimum: minimum)
        return wasWorking ? [suspension(level, why)] : []
    }

    private func suspension(_ level: Log.Level, _ why: String) -> Note {
        Note(level: level, message: "\(words.kind) suspended: \(why)", isSuspension: true)
    }
}

extension FarEnd.Words {
    /// Those of a channel that pushes.
    static let channel = Self(
        kind: "channel",
        name: "the far end",
        afterFailure: "deliveries are tried again",
        afterSilence: "deliveries are tried again",
        works: "channel works again",
        tellsEveryRecovery: false
    )
    /// Those of a channel for phones: nobody can say whether a gateway that is silent has the message.
    static let phoneChannel = Self(
        kind: "channel",
        name: "the far end",
        afterFailure: "deliveries are tried again",
        afterSilence: "it is not asked again",
        works: "channel works again",
        tellsEveryRecovery: false
    )
    /// Those of a bank.
    static let bank = Self(
        kind: "link",
        name: "the bank",
        afterFailure: "it is told again later",
        afterSilence: "it is told again later",
        works: "the bank can be told again",
        tellsEveryRecovery: true
    )
}
