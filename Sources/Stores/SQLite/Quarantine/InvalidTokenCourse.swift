// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// A decision about a channel's tokens on its way through the database, one piece a transaction.
struct InvalidTokenCourse: Sendable {
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
        let course = InvalidTokenRule.course(of: step)
        try quarantine.keep(record, of: channel, in: pipeline)
        if restoredUntil == nil {
            let (result, rest) = try begin(course, quarantine, removed)
            guard course.restores, course.taken == nil else { return (result, rest) }
        }
        return try restore(course, quarantine, removed, now: now)
    }

    /// Does what comes before a restoration.
    private func begin(
        _ course: InvalidTokenRule.Course,
        _ quarantine: QuarantineWrites,
        _ removed: RemovedSubscriptions
    ) throws(SQLiteError) -> (InvalidTokenResult, InvalidTokenCourse?) {
        var result = InvalidTokenResult(decided: course.removed.count)
        for token in course.removed {
            if let ended = try removed.remove(token, by: channel) { result.ended.append(ended) }
        }
        if !course.kept.isEmpty {
            try quarantine.keep(course.kept, by: channel, in: pipeline, waits: course.keptWait)
        }
        if course.stopsWaiting { try quarantine.stopWaiting(of: channel, in: pipeline) }
        guard let end = course.taken else { return (result, nil) }
        let piece = try quarantine.take(
            of: channel,
            in: pipeline,
            onlyWaiting: course.onlyWaiting,
            QuarantineWrites.End(end, by: channel)
        )
        if piece.hasMore { return (piece.result, self) }
        guard course.restores else { return (piece.result, nil) }
        var rest = self
        rest.restoredUntil = 0
        return (piece.result, rest)
    }

    private func restore(
        _ course: InvalidTokenRule.Course,
        _ quarantine: QuarantineWrites,
        _ removed: RemovedSubscriptions,
        now: WallTime
    ) throws(SQLiteError) -> (InvalidTokenResult, InvalidTokenCourse?) {
        let kept = try removed.restore(
            of: channel,
            in: pipeline,
            since: now.adding(milliseconds: -InvalidTokenRule.restorable),
            after: restoredUntil ?? 0,
            limit: QuarantineWrites.piece
        )
        let restored = kept.filter(\.isRestored)
        // In doubt an operator may still confirm what was removed before.
        if course.doubtsRestored {
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
