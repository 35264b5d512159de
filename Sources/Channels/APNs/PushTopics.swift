// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The topics that a push certificate of Apple's is for.
struct PushTopics {
    /// Apple's list of topics: `SEQUENCE { UTF8String topic, SEQUENCE { UTF8String kind }, … }`.
    private static let list = "1.2.840.113635.100.6.3.6"

    /// What counts where no topic is set: the app itself.
    let usual: String?
    /// All of them.
    let all: [String]

    init(_ facts: CertificateFacts) {
        let listed = facts.extensions[Self.list].map(Self.read) ?? []
        usual = facts.userID ?? listed.first
        all = facts.userID.map { id in [id] + listed.filter { $0 != id } } ?? listed
    }

    private static func read(_ value: [UInt8]) -> [String] {
        var outer = DERReader(value[...])
        guard let list = outer.next(), list.tag == DERReader.sequence else { return [] }
        var items = DERReader(list.content)
        var topics: [String] = []
        while let item = items.next(), topics.count < 100 {
            if item.tag == DERReader.utf8String { topics.append(String(decoding: item.content, as: UTF8.self)) }
        }
        return topics
    }
}

/// Walks over the elements of DER (X.690), as far as topics need it.
struct DERReader {
    static let sequence: UInt8 = 0x30
    static let utf8String: UInt8 = 0x0c
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next element; `nil` at the end, and where the bytes are no DER.
    mutating func next() -> (tag: UInt8, content: ArraySlice<UInt8>)? {
        guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let digits = rest.prefix(Int(first & 0x7f))
            guard (1...3).contains(digits.count), digits.count == Int(first & 0x7f) else { return nil }
            rest = rest.dropFirst(digits.count)
            length = digits.reduce(0) { $0 << 8 | Int($1) }
        }
        guard length <= rest.count else { return nil }
        defer { rest = rest.dropFirst(length) }
        return (tag, rest.prefix(length))
    }
}
