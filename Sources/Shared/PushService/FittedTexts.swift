// SPDX-License-Identifier: Apache-2.0

import JSON
import Unicode

/// Shortens what people read until a payload fits its provider's limit; ids, codes and links never.
public struct FittedTexts {
    /// What a title keeps, in bytes, where title and text together are too long: more than any phone shows.
    private static let shortTitle = 256

    private let title: String?
    private let text: String
    private let limit: Int

    /// Describes the texts and the bytes that the serialised JSON may have.
    public init(title: String?, text: String, limit: Int) {
        self.title = title.flatMap { $0.isEmpty ? nil : $0 }
        self.text = text
        self.limit = limit
    }

    /// The JSON that `write` makes of a title and a text that fit.
    ///
    /// - Returns: `nil` where it does not fit even without its text.
    public func render(_ write: (_ title: String?, _ text: String) -> [UInt8]) -> [UInt8]? {
        let whole = write(title, text)
        guard whole.count > limit else { return whole }
        let room = limit - (whole.count - JSONWriter.escapedLength(of: text))
        if room >= 0 { return write(title, Self.shorten(text, to: room)) }
        guard let title else { return nil }
        let roomForBoth = room + JSONWriter.escapedLength(of: title)
        guard roomForBoth >= 0 else { return nil }
        let short = Self.shorten(title, to: min(roomForBoth, Self.shortTitle))
        return write(short, Self.shorten(text, to: roomForBoth - JSONWriter.escapedLength(of: short)))
    }

    private static func shorten(_ text: String, to room: Int) -> String {
        truncate(text, toCost: room, of: JSONWriter.escapedLength)
    }
}
