// SPDX-License-Identifier: Apache-2.0

/// The text of a string value, cut into what stands there and what variables will fill in.
public struct Template: Sendable, Hashable {
    /// One stretch of the text.
    public enum Piece: Sendable, Hashable {
        /// Text as it stands; `$${` has become `${`.
        case literal(String)
        /// `${NAME}` or `${NAME:-default}`.
        case variable(name: String, fallback: String?)
        /// `${file:PATH}`.
        case file(path: String)
    }

    /// The stretches in order.
    public let pieces: [Piece]

    /// Creates a template from its stretches.
    public init(pieces: [Piece]) { self.pieces = pieces }

    /// Whether a variable has a part in it.
    public var hasVariables: Bool {
        pieces.contains { if case .literal = $0 { false } else { true } }
    }

    /// Cuts `text` into pieces.
    ///
    /// - Throws: ``SettingsProblem`` where `${` is not followed by something that this version knows.
    public init(_ text: String) throws(SettingsProblem) {
        var pieces: [Piece] = []
        var literal = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            literal += rest[..<dollar]
            rest = rest[dollar...]
            if rest.hasPrefix("$${") {
                literal += "${"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("${") {
                guard let end = rest.firstIndex(of: "}") else {
                    throw SettingsProblem(
                        "has '${' without a closing '}'; write '$${' for the two characters themselves"
                    )
                }
                if !literal.isEmpty { pieces.append(.literal(literal)) }
                literal = ""
                pieces.append(try Self.piece(rest.dropFirst(2)[..<end]))
                rest = rest[end...].dropFirst()
            } else {
                literal.append(rest.removeFirst())
            }
        }
        literal += rest
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        self.pieces = pieces
    }

    private static func piece(_ inside: Substring) throws(SettingsProblem) -> Piece {
        if inside.contains("${") { throw SettingsProblem("has a variable inside a variable; they cannot be nested") }
        if inside.hasPrefix("file:") {
            let path = inside.dropFirst(5)
            if path.isEmpty { throw SettingsProblem("has '${file:}' without a path") }
            return .file(path: String(path))
        }
        let name = inside.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        let rest = inside.dropFirst(name.count)
        guard let first = name.first, !first.isNumber else {
            // What stands there is not repeated: it may be a password that nobody meant as a variable.
            throw SettingsProblem(
                "has '${' that begins no variable; write ${NAME}, ${file:PATH}, or '$${' for the two characters themselves"
            )
        }
        if rest.isEmpty { return .variable(name: String(name), fallback: nil) }
        if rest.hasPrefix(":-") { return .variable(name: String(name), fallback: String(rest.dropFirst(2))) }
        throw SettingsProblem(
            "has '${' and a name that does not end like a variable; write ${NAME}, or ${NAME:-DEFAULT} with a default"
        )
    }
}
