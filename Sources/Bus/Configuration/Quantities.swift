// SPDX-License-Identifier: Apache-2.0

/// A whole number with a unit after it: `30s`, `64KiB`.
private struct Quantity {
    let digits: Substring
    let unit: Substring
    let isNegative: Bool

    init(_ text: String) {
        isNegative = text.hasPrefix("-")
        let unsigned = text.drop { $0 == "-" || $0 == "+" }
        digits = unsigned.prefix { $0.isASCII && $0.isNumber }
        unit = unsigned.dropFirst(digits.count)
    }

    /// The unit that was meant: `m` for `min`, `MiB` for `MB`.
    private func closest(in units: [String]) -> String? {
        units.filter { unit.hasPrefix($0) }.max { $0.count < $1.count }
            ?? units.first { $0.lowercased().first == unit.lowercased().first }
    }

    /// The number times the unit's size; `usual` is the unit to propose where none was given.
    func value(
        _ scalar: SettingsScalar,
        units: [(name: String, size: Int)],
        what: String,
        usual: String
    ) throws(SettingsProblem) -> Int {
        let known = units.map(\.name)
        let example = "write it like \(known.map { "5\($0)" }.joined(separator: ", "))"
        guard !digits.isEmpty else { throw SettingsProblem("must be \(what), not \(scalar.quoted); \(example)") }
        if isNegative { throw SettingsProblem("must not be negative, and is \(scalar.quoted)") }
        if unit.isEmpty {
            let advice = scalar.isFromVariable ? example : "did you mean \"\(digits)\(usual)\"?"
            throw SettingsProblem("must be \(what), and \(scalar.quoted) has no unit; \(advice)")
        }
        guard let size = units.first(where: { $0.name == unit })?.size else {
            let advice =
                closest(in: known).map { scalar.isFromVariable ? example : "did you mean \"\(digits)\($0)\"?" }
                ?? example
            throw SettingsProblem("must be \(what), and \(scalar.quoted) has no unit that is known; \(advice)")
        }
        let (product, overflow) = (Int(digits) ?? .max).multipliedReportingOverflow(by: size)
        if overflow { throw SettingsProblem("is too large") }
        return product
    }
}

/// Returns `value` in the largest unit that leaves no rest.
private func written(_ value: Int, units: [(name: String, size: Int)]) -> String {
    guard value != 0 else { return "0\(units.first { $0.name == "s" }?.name ?? units[0].name)" }
    let unit = units.last { value % $0.size == 0 } ?? units[0]
    return "\(value / unit.size)\(unit.name)"
}

extension Duration: SettingsValue {
    private static let units: [(name: String, size: Int)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// A duration with its unit: `250ms`, `30s`, `5m`, `12h`, `30d`.
    public static var kind: SettingsKind { SettingsKind("duration", pattern: "^([0-9]+(ms|s|m|h|d)|.*\\$\\{.*)$") }
    /// No time.
    public static var placeholder: Duration { .zero }

    /// Reads a whole number and its unit.
    public init(_ scalar: SettingsScalar) throws(SettingsProblem) {
        let quantity = Quantity(scalar.text)
        self = .milliseconds(try quantity.value(scalar, units: Self.units, what: "a duration", usual: "s"))
    }

    /// The largest unit that leaves no rest, milliseconds at the finest.
    public var settingsText: String {
        written(Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000), units: Self.units)
    }
}

/// A number of bytes.
public struct ByteCount: SettingsValue, Hashable, Comparable, ExpressibleByIntegerLiteral {
    private static let units: [(name: String, size: Int)] = [
        ("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30),
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
        bytes = try Quantity(scalar.text).value(scalar, units: Self.units, what: "a size", usual: "B")
    }

    /// The largest unit that leaves no rest.
    public var settingsText: String { written(bytes, units: Self.units) }

    /// Orders by size.
    public static func < (left: Self, right: Self) -> Bool { left.bytes < right.bytes }
}
