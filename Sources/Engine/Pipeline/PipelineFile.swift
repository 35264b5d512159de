// SPDX-License-Identifier: Apache-2.0

public import Bus

/// A pipeline file: which modules a message passes, in which order, and how deliveries are kept at.
public struct PipelineFile: ModuleSettings {
    /// The pipeline's name.
    public let name: String
    /// Where the name stands.
    public let nameMark: SourceMark
    /// What the pipeline is for.
    public let description: String?
    /// Where messages come from.
    public let inbound: [PipelineItem]
    /// What looks at messages on their way, in this order.
    public let stages: [PipelineItem]
    /// Where messages go, by preference.
    public let outbound: [PipelineItem]
    /// How subscriptions age.
    public let subscriptions: SubscriptionSettings
    /// How deliveries are kept at.
    public let delivery: DeliverySettings

    /// Reads a pipeline file.
    public init(from reader: inout SettingsReader) {
        name = reader.required(
            "pipeline",
            "The pipeline's name.",
            example: "megabank",
            validate: Self.problem(name:)
        )
        nameMark = reader.mark(of: "pipeline")
        description = reader.optional("description", "What the pipeline is for.")
        inbound = reader.requiredGroups("inbound", "Where messages come from.")
        stages = reader.optionalGroups("stages", "What looks at messages on their way, in this order.")
        outbound = reader.requiredGroups("outbound", "Where messages go, in the order of preference.")
        subscriptions = reader.group("subscriptions", "How subscriptions age.")
        delivery = reader.group("delivery", "How deliveries are kept at.")
        reader.ignoreKeys(prefix: "x-")
        for list in [inbound, stages, outbound] { Self.checkNames(list, &reader) }
        checkSegments(&reader)
    }

    /// Nobody is in a segment before a stage put them there, so such a condition would never hold.
    private func checkSegments(_ reader: inout SettingsReader) {
        guard !stages.contains(where: { $0.module == "segment" && $0.isEnabled }) else { return }
        for item in inbound + stages + outbound where item.condition?.asksForSegments == true {
            let message = "'when' asks for a segment, and no stage of this pipeline is 'segment'"
            reader.report(.error(at: item.conditionMark, message))
        }
    }

    private static func checkNames(_ items: [PipelineItem], _ reader: inout SettingsReader) {
        var first: [String: SourceMark] = [:]
        for item in items where !item.name.isEmpty {
            guard let taken = first[item.name] else {
                first[item.name] = item.nameMark
                continue
            }
            let message =
                "the name '\(item.name)' is taken by the item at line \(taken.line); give this one another 'name'"
            reader.report(.error(at: item.nameMark, message))
        }
    }

    /// The contract's `[a-z][a-z0-9_-]*`.
    private static func problem(name: String) -> String? {
        let isFine =
            name.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ?? false
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
        return isFine ? nil : "must begin with a small letter and go on with small letters, digits, '_' and '-'"
    }
}

/// How subscriptions age.
public struct SubscriptionSettings: ModuleSettings {
    /// How long a device may be silent before its subscription ends; `nil`: for ever.
    public let expireAfter: Duration?

    private static let longest = Duration.seconds(100 * 366 * 86_400)

    /// Reads the settings.
    public init(from reader: inout SettingsReader) {
        expireAfter = reader.optional(
            "expire_after",
            "How long a device may be silent before its subscription ends; without it, never.",
            in: .seconds(1)...Self.longest,
            example: "30d"
        )
    }
}

/// How deliveries are kept at.
public struct DeliverySettings: ModuleSettings {
    /// The waits between attempts.
    public let retry: RetrySettings
    /// How long the bus tries to tell the bank what happened.
    public let giveUpAfter: Duration

    /// Reads the settings.
    public init(from reader: inout SettingsReader) {
        retry = reader.group("retry", "The waits between attempts, of which a random part is taken.")
        giveUpAfter = reader.optional(
            "give_up_after",
            "How long the bus tries to tell the bank what happened, before it is a dead letter.",
            default: .seconds(7 * 86_400)
        )
    }
}

/// The waits between attempts.
public struct RetrySettings: ModuleSettings {
    /// The longest wait after the first attempt.
    public let initial: Duration
    /// The longest wait of all.
    public let max: Duration

    /// Reads the settings.
    public init(from reader: inout SettingsReader) {
        initial = reader.optional(
            "initial",
            "The longest wait after the first attempt; it doubles with each one.",
            default: .seconds(1),
            in: .milliseconds(1)...Self.longest
        )
        max = reader.optional(
            "max",
            "The longest wait of all.",
            default: .seconds(300),
            in: .milliseconds(1)...Self.longest
        )
        if initial > max {
            reader.report("'initial' must not be longer than 'max'", at: reader.isGiven("initial") ? "initial" : "max")
        }
    }

    private static let longest = Duration.seconds(30 * 86_400)
}
