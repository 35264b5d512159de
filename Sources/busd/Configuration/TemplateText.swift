// SPDX-License-Identifier: Apache-2.0

import Bus

/// A template that can be cut at characters; what a variable will bring is never cut.
struct TemplateText {
    private enum Atom {
        case character(Character)
        case hole(Template.Piece)
    }

    private var atoms: ArraySlice<Atom>

    init(_ template: Template) {
        atoms =
            template.pieces.flatMap { piece -> [Atom] in
                if case .literal(let text) = piece { return text.map { .character($0) } }
                return [.hole(piece)]
            }[...]
    }

    private init(atoms: ArraySlice<Atom>) { self.atoms = atoms }

    var isEmpty: Bool { atoms.isEmpty }

    /// The pieces again.
    var template: Template {
        var pieces: [Template.Piece] = []
        var literal = ""
        for atom in atoms {
            switch atom {
            case .character(let character): literal.append(character)
            case .hole(let piece):
                if !literal.isEmpty { pieces.append(.literal(literal)) }
                literal = ""
                pieces.append(piece)
            }
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        return Template(pieces: pieces)
    }

    func hasPrefix(_ text: String) -> Bool {
        atoms.count >= text.count && zip(atoms, text).allSatisfy { Self.isCharacter($0, $1) }
    }

    func contains(_ character: Character) -> Bool { atoms.contains { Self.isCharacter($0, character) } }

    mutating func removeFirst(_ count: Int) { atoms = atoms.dropFirst(count) }

    /// Cuts off what stands before the first `character`, and drops that.
    mutating func take(upTo character: Character) -> TemplateText? {
        cut(at: atoms.firstIndex { Self.isCharacter($0, character) })
    }

    /// Cuts off what stands before the last `character`, and drops that.
    mutating func take(upToLast character: Character) -> TemplateText? {
        cut(at: atoms.lastIndex { Self.isCharacter($0, character) })
    }

    /// The same as ``take(upTo:)`` where no variable has a part in it.
    mutating func takeLiteral(upTo character: Character) -> String? {
        guard let taken = take(upTo: character), !taken.template.hasVariables else { return nil }
        if case .literal(let text) = taken.template.pieces.first { return text }
        return ""
    }

    /// The text with `%41` read as `A`, outside of variables.
    func percentDecoded() throws(SettingsProblem) -> TemplateText {
        var pieces: [Template.Piece] = []
        for piece in template.pieces {
            guard case .literal(let text) = piece else {
                pieces.append(piece)
                continue
            }
            pieces.append(.literal(try Self.decode(text)))
        }
        return TemplateText(Template(pieces: pieces))
    }

    private mutating func cut(at index: Int?) -> TemplateText? {
        guard let index else { return nil }
        defer { atoms = atoms[(index + 1)...] }
        return TemplateText(atoms: atoms[..<index])
    }

    private static func isCharacter(_ atom: Atom, _ character: Character) -> Bool {
        if case .character(character) = atom { true } else { false }
    }

    private static func decode(_ text: String) throws(SettingsProblem) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.first != "+", let value = UInt8(digits, radix: 16) else {
                throw SettingsProblem("has a '%' that is not followed by two hexadecimal digits; write %25 for it")
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw SettingsProblem("has an escape with '%' that is not UTF-8")
        }
        return decoded
    }
}
