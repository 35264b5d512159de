// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What `when` asks of a message before an item is used.
///
/// A question about something that the message does not have is answered with no; `not` turns that into yes.
public indirect enum Condition: Sendable, Equatable {
    /// The notification's type is one of these.
    case type([NotificationType])
    /// The device's platform is one of these.
    case platform([Platform])
    /// The recipient is in one of these segments.
    case segment([String])
    /// The device's app is one of these.
    case app([String])
    /// The notification's priority passes one of these tests.
    case priority([NumberTest])
    /// One of these tags is there.
    case tag([TagTest])
    /// All of these hold.
    case all([Condition])
    /// At least one of these holds.
    case any([Condition])
    /// This does not hold.
    case not(Condition)

    /// A comparison with a whole number.
    public enum NumberTest: Sendable, Equatable {
        /// `5`
        case equal(Int)
        /// `">=5"`
        case atLeast(Int)
        /// `">5"`
        case above(Int)
        /// `"<=5"`
        case atMost(Int)
        /// `"<5"`
        case below(Int)

        /// Whether a number passes.
        public func passes(_ number: Int) -> Bool {
            switch self {
            case .equal(let bound): number == bound
            case .atLeast(let bound): number >= bound
            case .above(let bound): number > bound
            case .atMost(let bound): number <= bound
            case .below(let bound): number < bound
            }
        }
    }

    /// A question about one tag.
    public enum TagTest: Sendable, Equatable {
        /// The tag is there, whatever its value.
        case named(String)
        /// The tag is there with one of these values.
        case text(name: String, [String])
        /// The tag is there, its value is a whole number, and the number passes.
        case number(name: String, NumberTest)

        func passes(_ tag: PushDetails.Tag) -> Bool {
            switch self {
            case .named(let name): tag.key == name
            case .text(let name, let values): tag.key == name && tag.value.map(values.contains) ?? false
            case .number(let name, let test): tag.key == name && tag.value.flatMap { Int($0) }.map(test.passes) ?? false
            }
        }
    }

    /// Whether it, or a part of it, asks which segment a recipient is in.
    var asksForSegments: Bool {
        switch self {
        case .segment: true
        case .all(let conditions), .any(let conditions): conditions.contains(where: \.asksForSegments)
        case .not(let condition): condition.asksForSegments
        case .type, .platform, .app, .priority, .tag: false
        }
    }

    /// Whether it holds for a message.
    public func matches(_ message: ConditionAttributes) -> Bool {
        switch self {
        case .type(let types): message.type.map(types.contains) ?? false
        case .platform(let platforms): message.platform.map(platforms.contains) ?? false
        case .segment(let segments): message.segments.contains { segments.contains($0) }
        case .app(let apps): message.app.map(apps.contains) ?? false
        case .priority(let tests): message.priority.map { number in tests.contains { $0.passes(number) } } ?? false
        case .tag(let tests): message.tags.contains { tag in tests.contains { $0.passes(tag) } }
        case .all(let conditions): conditions.allSatisfy { $0.matches(message) }
        case .any(let conditions): conditions.contains { $0.matches(message) }
        case .not(let condition): !condition.matches(message)
        }
    }
}
