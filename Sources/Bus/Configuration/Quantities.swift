// SPDX-License-Identifier: Apache-2.0

extension Duration: SettingsValue {
    private static let units: [QuantityText.Unit] = [
        .init(name: "ms", size: 1, otherNames: ["msec", "msecs", "millis", "millisecond", "milliseconds"]),
        .init(name: "s", size: 1000, otherNames: ["sec", "secs", "second", "seconds"]),
        .init(name: "m", size: 60_000, otherNames: ["min", "mins", "minute", "minutes"]),
        .init(name: "h", size: 3_600_000, otherNames: ["hr", "hrs", "hour", "hours"]),
        .init(name: "d", size: 86_400_000, otherNames: ["day", "days"]),
        .init(name: "w", size: 604_800_000, otherNames: ["week", "weeks"], isKnown: false),
    ]

    /// A duration with its unit: `250ms`, `30s`, `5m`, `12h`, `30d`.
    public static var kind: SettingsKind { SettingsKind("duration", pattern: "^([0-9]+(ms|s|m|h|d)|.*\\$\\{.*)$") }
    /// No time.
    public static var placeholder: Duration { .zero }

    /// Reads a whole number and its unit.
    public init(_ scalar: SettingsScalar) throws(SettingsProblem) {
        let text = QuantityText(scalar, units: Self.units, what: "a duration")
        self = .milliseconds(try text.value(usual: Self.unit(like: scalar.usual)))
    }

    /// The unit of a value like the usual one: days for days, milliseconds for parts of a second, else seconds.
    private static func unit(like usual: String?) -> String {
        guard let usual, let value = try? Self(SettingsScalar(usual, mark: SourceMark(file: ""))) else { return "s" }
        return value >= .seconds(86_400) ? "d" : value < .seconds(1) ? "ms" : "s"
    }

    /// The largest unit that leaves no rest, milliseconds at the finest.
    public var settingsText: String {
        QuantityText.written(
            Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000),
            units: Self.units
        )
    }
}

/// A number of bytes.
public struct ByteCount: SettingsValue, Hashable, Comparable, ExpressibleByIntegerLiteral {
    private static let units: [QuantityText.Unit] = [
        .init(name: "B", size: 1, otherNames: ["byte", "bytes"]),
        .init(name: "KiB", size: 1 << 10, otherNames: ["k", "kb"]),
        .init(name: "MiB", size: 1 << 20, otherNames: ["m", "mb"]),
        .init(name: "GiB", size: 1 << 30, otherNames: ["g", "gb"]),
    ]

    /// The number.
    public var bytes: Int

    /// Creates a number of bytes.
    public init(_ bytes: Int) { self.bytes = bytes }

    /// Creates a number of bytes.
    public init(integerLiteral bytes: Int) { self.bytes = bytes }

    /// A number of times 1,024 bytes.
    public static func kibibytes(_ count: Int) -> Self { Self(count << 10) }

    /// A number of times 1,048,576 bytes.
    public static func mebibytes(_ count: Int) -> Self { Self(count << 20) }

    /// A size with its unit: `512B`, `64KiB`, `1MiB`, `2GiB`.
    public static var kind: SettingsKind { SettingsKind("size", pattern: "^([0-9]+(B|KiB|MiB|GiB)|.*\\$\\{.*)$") }
    /// Nothing.
    public static var placeholder: Self { 0 }

    /// Reads a whole number and its unit.
    public init(_ scalar: SettingsScalar) throws(SettingsProblem) {
        bytes = try QuantityText(scalar, units: Self.units, what: "a size").value(usual: "B")
    }

    /// The largest unit that leaves no rest.
    public var settingsText: String { QuantityText.written(bytes, units: Self.units) }

    /// Orders by size.
    public static func < (left: Self, right: Self) -> Bool { left.bytes < right.bytes }
}
