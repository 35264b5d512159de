// SPDX-License-Identifier: Apache-2.0

/// A number with a unit as people write it in a configuration, and what they meant where it is not the right one.
struct QuantityText {
    /// A unit, its size in the smallest one, and other words for it.
    struct Unit {
        let name: String
        let size: Int
        var otherNames: [String] = []
        /// Whether it may be written; otherwise it is only understood, for advice.
        var isKnown = true
    }

    private let scalar: SettingsScalar
    private let units: [Unit]
    private let what: String

    /// Reads a value as one of `units`, of which `what` says what they measure: `a duration`.
    init(_ scalar: SettingsScalar, units: [Unit], what: String) {
        self.scalar = scalar
        self.units = units
        self.what = what
    }

    /// The value in the smallest unit; `usual` is the unit to propose where none was given.
    func value(usual: String) throws(SettingsProblem) -> Int {
        let unsigned = scalar.text.drop { $0 == "-" || $0 == "+" }
        let digits = unsigned.prefix { $0.isASCII && $0.isNumber }
        let unit = unsigned.dropFirst(digits.count)
        guard !digits.isEmpty else { throw SettingsProblem("must be \(what), not \(scalar.quoted); \(example)") }
        if scalar.text.hasPrefix("-") { throw SettingsProblem("must not be negative, and is \(scalar.quoted)") }
        if unit.isEmpty {
            throw SettingsProblem("must be \(what), and \(scalar.quoted) has no unit; \(advice("\(digits)\(usual)"))")
        }
        guard let size = units.first(where: { $0.isKnown && $0.name == unit })?.size else {
            let meant = meaning(unsigned).map { Self.written($0, units: units) }
            throw SettingsProblem(
                "must be \(what), and \(scalar.quoted) has no unit that is known; \(advice(meant))"
            )
        }
        guard let product = Self.product(digits, size) else { throw SettingsProblem("is too large") }
        return product
    }

    /// Returns a value in the largest unit that leaves no rest.
    static func written(_ value: Int, units: [Unit]) -> String {
        guard value != 0 else { return "0\(units.first { $0.name == "s" }?.name ?? units[0].name)" }
        let unit = units.last { $0.isKnown && $0.size <= value && value % $0.size == 0 } ?? units[0]
        return "\(value / unit.size)\(unit.name)"
    }

    private var example: String {
        "write it like \(units.filter(\.isKnown).map { "5\($0.name)" }.joined(separator: ", "))"
    }

    private func advice(_ meant: String?) -> String {
        guard let meant, !scalar.isFromVariable else { return example }
        return "did you mean \"\(meant)\"?"
    }

    /// What `1m30s`, `1.5h`, `2 min` or `1w` come to, in the smallest unit.
    private func meaning(_ text: Substring) -> Int? {
        var rest = text.filter { $0 != " " && $0 != "_" }[...]
        var sum = 0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            rest = rest.dropFirst(number.count)
            let name = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(name.count)
            guard let size = size(named: String(name)), let part = Self.part(number, size) else { return nil }
            let (total, isOver) = sum.addingReportingOverflow(part)
            if isOver { return nil }
            sum = total
        }
        return sum
    }

    private func size(named name: String) -> Int? {
        let lower = name.lowercased()
        return units.first { $0.name == name || $0.otherNames.contains(name) }?.size
            ?? units.first { $0.name.lowercased() == lower || $0.otherNames.contains(lower) }?.size
    }

    /// A number with perhaps a decimal point times a size, where that leaves no rest.
    private static func part(_ number: Substring, _ size: Int) -> Int? {
        let halves = number.split(separator: ".", omittingEmptySubsequences: false)
        guard halves.count <= 2, let whole = product(halves[0], size) else { return nil }
        guard halves.count == 2 else { return whole }
        guard (1...6).contains(halves[1].count), let fraction = product(halves[1], size) else { return nil }
        let scale = (0..<halves[1].count).reduce(1) { scale, _ in scale * 10 }
        return fraction % scale == 0 ? whole.addingReportingOverflow(fraction / scale).partialValue : nil
    }

    private static func product(_ digits: Substring, _ size: Int) -> Int? {
        guard let number = Int(digits) else { return nil }
        let (product, isOver) = number.multipliedReportingOverflow(by: size)
        return isOver ? nil : product
    }
}
