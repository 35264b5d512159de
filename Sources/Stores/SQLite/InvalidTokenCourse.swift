// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// A decision about a channel's tokens on its way through the database, one piece a transaction.
struct InvalidTokenCourse: Sendable {
    /// How long what verdicts removed may come back, in milliseconds.
    private static let day: Int64 = 86_400_000

    let step: InvalidTokenStep
    let channel: String
    let pipeline: PipelineNumber
    let record: InvalidTokenRecord
    /// How far a restoration got: the last subscription it looked at; `nil` before it began.
    var restoredUntil: Int64?

    init(step: InvalidTokenStep, channel: String, pipeline: PipelineNumber, record: InvalidTokenRecord) {
        self.step = step
        self.channel = channel
        self.pipeline = pipeline
        self.record = record
    }

    /// How much it counts among what waits for the writer.
    var weight: Int {
        switch step {
        case .remove(let tokens), .hold(let tokens), .quarantine(let tokens): max(1, tokens.count)
        case .removeHeld, .doubt, .trust, .release, .confirm: 1
        }
    }

    /// Does a piece; returns what it came to, and what is left to do.
    func go(
        _ quarantine: QuarantineWrites,
        _ removed: RemovedSubscriptions,
        now: WallTime
    ) throws(SQLiteError) -> (InvalidTokenResult, InvalidTokenCourse?) {
        try quarantine.keep(record, of: channel, in: pipeline)
        switch step {
        case .remove(let tokens):
            var result = InvalidTokenResult(decided: tokens.count)
            for token in tokens {
                if let ended = try removed.remove(token, by: channel) { result.ended.append(ended) }
            }
            return (result, nil)
        case .hold(let tokens):
            try quarantine.keep(tokens, by: channel, in: pipeline, waits: true)
            return (InvalidTokenResult(), nil)
        case .quarantine(let tokens):
            try quarantine.keep(tokens, by: channel, in: pipeline, waits: false)
            return (InvalidTokenResult(), nil)
        case .removeHeld: return try take(quarantine, onlyWaiting: true, .remove(by: channel))
        case .trust: return try take(quarantine, onlyWaiting: false, .forget)
        case .confirm: return try take(quarantine, onlyWaiting: false, .remove(by: nil))
        case .doubt:
            if restoredUntil == nil { try quarantine.stopWaiting(of: channel, in: pipeline) }
            return try restore(quarantine, removed, now: now)
        case .release:
            guard restoredUntil == nil else { return try restore(quarantine, removed, now: now) }
            var (result, rest) = try take(quarantine, onlyWaiting: false, .forget)
            if rest == nil {
                rest = self
                rest?.restoredUntil = 0
            }
            result.ended = []
            return (result, rest)
        }
    }

    private func take(
        _ quarantine: QuarantineWrites,
        onlyWaiting: Bool,
        _ end: QuarantineWrites.End
    ) throws(SQLiteError) -> (InvalidTokenResult, InvalidTokenCourse?) {
        let piece = try quarantine.take(of: channel, in: pipeline, onlyWaiting: onlyWaiting, end)
        return (piece.result, piece.hasMore ? self : nil)
    }

    private func restore(
        _ quarantine: QuarantineWrites,
        _ removed: RemovedSubscriptions,
        now: WallTime
    ) throws(SQLiteError) -> (InvalidTokenResult, InvalidTokenCourse?) {
        let kept = try removed.restore(
            of: channel,
            in: pipeline,
            since: now.adding(milliseconds: -Self.day),
            after: restoredUntil ?? 0,
            limit: QuarantineWrites.piece
        )
        let restored = kept.filter(\.isRestored)
        // In doubt an operator may still confirm what was removed before.
        if step == .doubt {
            try quarantine.keep(restored.map(\.token), by: channel, in: pipeline, waits: false)
        }
        var rest: InvalidTokenCourse?
        if kept.count == QuarantineWrites.piece {
            rest = self
            rest?.restoredUntil = kept.last?.token.end.subscription
        }
        return (InvalidTokenResult(restored: restored.count), rest)
    }
}
