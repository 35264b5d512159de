// SPDX-License-Identifier: Apache-2.0

import Bus

/// Finds out whether a condition can hold at all, by trying its alternatives until one is free of contradictions.
///
/// What is finite (types, priorities, devices) is narrowed to the values that are left; of tags and segments, of which
/// a message may have any number, it is noted which must and which must not be there.
struct ConditionSolver {
    private struct Goal {
        var condition: Condition
        var isWanted: Bool

        /// Whether all its parts must be so: all that is wanted of `all`, and all that is refused of `any`.
        var needsAllParts: Bool {
            if case .all = condition { isWanted } else { !isWanted }
        }
    }

    /// A run that takes longer is given up: the condition is then taken for one that can hold.
    private var steps = 5_000

    /// Whether some message of the domain meets the condition.
    static func canHold(_ condition: Condition, in domain: ConditionDomain) -> Bool {
        var solver = Self()
        return domain.kinds.contains { kind in
            solver.solve([Goal(condition: condition, isWanted: true)], ConditionState(kind))
        }
    }

    private mutating func solve(_ goals: [Goal], _ state: ConditionState) -> Bool {
        var goals = goals
        var state = state
        while let goal = goals.popLast() {
            steps -= 1
            if steps < 0 { return true }
            switch goal.condition {
            case .not(let inner): goals.append(Goal(condition: inner, isWanted: !goal.isWanted))
            case .all(let parts), .any(let parts):
                let parts = parts.map { Goal(condition: $0, isWanted: goal.isWanted) }
                guard goal.needsAllParts else {
                    return parts.contains { solve(goals + [$0], state) }
                }
                goals += parts
            default: guard state.narrow(to: goal.condition, goal.isWanted) else { return false }
            }
        }
        return state.isConsistent
    }
}

/// What is left of a kind of message once some tests passed or failed.
private struct ConditionState {
    private var kind: ConditionDomain.Kind
    private var wantedTags: [[Condition.TagTest]] = []
    private var refusedTags: [Condition.TagTest] = []
    private var wantedSegments: [[String]] = []
    private var refusedSegments: Set<String> = []

    init(_ kind: ConditionDomain.Kind) { self.kind = kind }

    /// Notes a test that is neither `all`, `any` nor `not`; returns whether anything is left.
    mutating func narrow(to test: Condition, _ isWanted: Bool) -> Bool {
        func passes(_ fill: (inout ConditionAttributes) -> Void) -> Bool {
            var attributes = ConditionAttributes()
            fill(&attributes)
            return test.matches(attributes) == isWanted
        }
        switch test {
        case .type: kind.types.removeAll { type in !passes { $0.type = type } }
        case .priority: kind.priorities.removeAll { priority in !passes { $0.priority = priority } }
        case .platform: kind.devices.removeAll { device in !passes { $0.platform = device.platform } }
        case .app: kind.devices.removeAll { device in !passes { $0.app = device.app } }
        case .tag(let tests): if isWanted { wantedTags.append(tests) } else { refusedTags += tests }
        case .segment(let names): if isWanted { wantedSegments.append(names) } else { refusedSegments.formUnion(names) }
        case .all, .any, .not: break
        }
        return !kind.types.isEmpty && !kind.priorities.isEmpty && !kind.devices.isEmpty
    }

    /// Whether for each tag and segment that must be there one is found that is not refused.
    var isConsistent: Bool {
        wantedSegments.allSatisfy { $0.contains { !refusedSegments.contains($0) } }
            && wantedTags.allSatisfy { $0.contains(where: isPossible) }
    }

    private func isPossible(_ test: Condition.TagTest) -> Bool {
        candidates(test).contains { tag in
            let isThere = kind.tags == .all || kind.tags == .namesOnly && tag.value == nil
            return isThere && test.passes(tag) && !refusedTags.contains { $0.passes(tag) }
        }
    }

    /// Tags among which one passes the test and no refused one, where there is such a tag.
    private func candidates(_ test: Condition.TagTest) -> [PushDetails.Tag] {
        switch test {
        case .named(let name): [PushDetails.Tag(key: name, value: nil)]
        case .text(let name, let values): values.map { PushDetails.Tag(key: name, value: $0) }
        case .number(let name, _):
            ([test] + refusedTags).compactMap(\.bound).flatMap(numbers).map { number in
                PushDetails.Tag(key: name, value: String(number))
            }
        }
    }

    /// The edge of a test, and around it more numbers than refused texts can name.
    private func numbers(around edge: Int) -> [Int] {
        let reach = refusedTags.count + 2
        return (0...reach).map { edge &- $0 } + (1...reach).map { edge &+ $0 }
    }
}

extension Condition.TagTest {
    fileprivate var bound: Int? {
        guard case .number(_, let test) = self else { return nil }
        return switch test {
        case .equal(let bound), .atLeast(let bound), .above(let bound), .atMost(let bound), .below(let bound): bound
        }
    }
}
