// SPDX-License-Identifier: Apache-2.0

import Bus

/// Guards a channel's customers against a wave of verdicts that their addresses are dead.
///
/// A mistake of ours (another environment's key, another app's topic) and a fault of a provider's look like many dead
/// addresses at once. The first ten verdicts of a minute are believed; the later ones wait until fifty results are
/// known, or the minute is over, and are believed only where they are not too many of the channel's results. A wait is
/// for the address only: deliveries go on.
struct VerdictGate<Verdict: Sendable>: Sendable {
    /// Verdicts a minute that are believed at once.
    static var believedAtOnce: Int { 10 }
    /// Results from which on a share means something.
    static var resultsToJudge: Int { 50 }
    /// Older results count half from here on, so that a wave is seen however many good results went before.
    static var resultsToHalve: Int { 400 }
    /// The length of a minute, in milliseconds.
    static var minute: Int64 { 60_000 }

    /// What is to happen to the verdicts that waited.
    enum Judgement {
        case believed([Verdict])
        /// Too many to be true: `verdicts` of the last `results`.
        case doubted([Verdict], verdicts: Int, results: Int)
    }

    private var minuteEnds = MonotonicTime.distantPast
    private var believed = 0
    private var results = 0
    private var verdicts = 0
    private var held: [Verdict] = []

    /// When verdicts that wait are judged at the latest; `nil` where none waits.
    var judgesAt: MonotonicTime? { held.isEmpty ? nil : minuteEnds }

    /// Notes a result of the channel that is no verdict.
    mutating func note(at now: MonotonicTime) {
        turn(at: now)
        count()
    }

    /// Notes a verdict; returns whether it is believed at once, and holds it if not.
    mutating func admits(_ verdict: Verdict, at now: MonotonicTime) -> Bool {
        noteVerdict(at: now)
        guard believed >= Self.believedAtOnce else {
            believed += 1
            return true
        }
        held.append(verdict)
        return false
    }

    /// Notes a verdict that is not acted upon for other reasons.
    mutating func noteVerdict(at now: MonotonicTime) {
        turn(at: now)
        count()
        verdicts += 1
    }

    /// Judges what waits, if it is time.
    mutating func judge(at now: MonotonicTime) -> Judgement? {
        guard !held.isEmpty, results >= Self.resultsToJudge || now >= minuteEnds else { return nil }
        defer { held = [] }
        // Over a fifth.
        return verdicts * 5 > results ? .doubted(held, verdicts: verdicts, results: results) : .believed(held)
    }

    // The minute does not turn while something waits for its end.
    private mutating func turn(at now: MonotonicTime) {
        guard now >= minuteEnds, held.isEmpty else { return }
        minuteEnds = now.adding(milliseconds: Self.minute)
        believed = 0
        results = 0
        verdicts = 0
    }

    private mutating func count() {
        if results >= Self.resultsToHalve {
            results /= 2
            verdicts /= 2
        }
        results += 1
    }
}
