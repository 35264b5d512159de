// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

@testable import Engine

/// A linear congruential generator, so that a failure comes back with the next run.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 33)
    }
}

struct ConditionSolverTests {
    private static let devices = [
        ConditionDomain.Device(platform: .ios, app: "a"), ConditionDomain.Device(platform: .android, app: "b"),
    ]

    /// Every message there is in a world with two tags and two segments.
    private static let messages: [ConditionAttributes] = {
        var all: [ConditionAttributes] = []
        let tags: [PushDetails.Tag?] = [nil, .init(key: "t", value: nil), .init(key: "t", value: "x")]
        for type in NotificationType.allCases {
            for priority in ConditionDomain.priorities {
                for device in devices {
                    for tag in tags + [.init(key: "t", value: "5")] {
                        for segments in [[], ["s"], ["r"], ["s", "r"]] {
                            var one = ConditionAttributes()
                            (one.type, one.priority, one.segments) = (type, priority, segments)
                            (one.platform, one.app) = (device.platform, device.app)
                            one.tags = tag.map { [$0] } ?? []
                            all.append(one)
                        }
                    }
                }
            }
        }
        return all
    }()

    @Test("What the solver says cannot hold holds for none of all messages, and the other way round", arguments: 0..<4)
    func agrees(seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        var impossible = 0
        for _ in 0..<250 {
            let condition = Self.condition(depth: 4, &generator)
            let holds = Self.messages.contains { condition.matches($0) }
            #expect(ConditionSolver.canHold(condition, in: .channel(Self.devices)) == holds, "\(condition)")
            if !holds { impossible += 1 }
        }
        #expect(impossible > 10, "too few that cannot hold to mean anything")
    }

    @Test("A condition of many alternatives is given up in time, and counts as one that can hold")
    func isBounded() {
        let two = Condition.any([.tag([.named("a")]), .tag([.named("b")])])
        let never: [Condition] = [.tag([.named("c")]), .not(.tag([.named("c")]))]
        let many = Condition.all(never + Array(repeating: two, count: 3_000))
        #expect(ConditionSolver.canHold(many, in: .channel(Self.devices)))
    }

    /// With one value of a tag at a time, so that "several tags of one name" does not come into it.
    private static func condition(depth: Int, _ generator: inout SeededGenerator) -> Condition {
        if depth > 0, Int.random(in: 0..<3, using: &generator) > 0 {
            let parts = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                condition(depth: depth - 1, &generator)
            }
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: return .any(parts)
            case 1: return .not(parts[0])
            default: return .all(parts)
            }
        }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .type([.url, .form, .message].shuffled(using: &generator).dropLast())
        case 1: return .platform([Bool.random(using: &generator) ? .ios : .android])
        case 2: return .app([Bool.random(using: &generator) ? "a" : "b"])
        case 3: return .priority([Bool.random(using: &generator) ? .above(7) : .below(3)])
        case 4: return .tag([.named("t")])
        default: return .segment([Bool.random(using: &generator) ? "s" : "r"])
        }
    }
}
