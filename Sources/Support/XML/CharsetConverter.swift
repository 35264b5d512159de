// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads documents in other encodings than UTF-8: all that the C library's iconv knows, as libxml2 itself would.
struct CharsetConverter: ~Copyable {
    private let handle: iconv_t

    /// Opens the conversion from a set to UTF-8; `nil` where there is none of this name.
    ///
    /// The name comes from strangers: what is no plain name, and so might say something else to iconv than which set
    /// is meant, is none. UTF-7 is left out: it hides markup in what looks like plain ASCII.
    init?(from name: String) {
        guard let spellings = CharsetName(name)?.spellings, let opened = Self.open(spellings) else { return nil }
        handle = opened
    }

    private static func open(_ spellings: [String]) -> iconv_t? {
        for name in spellings { if let opened = open(name) { return opened } }
        return nil
    }

    private static func open(_ name: String) -> iconv_t? {
        guard let opened = iconv_open("UTF-8", name), Int(bitPattern: opened) != -1 else { return nil }
        return opened
    }

    deinit { iconv_close(handle) }

    /// The text in UTF-8; `nil` where the bytes are not of this set.
    ///
    /// A byte becomes at most four, so that a document that was within the limit of a body cannot fill the memory.
    func utf8(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let room = bytes.count * 4 + 16
        var isWhole = false
        let result = [UInt8](unsafeUninitializedCapacity: room) { output, count in
            var source = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            var target = UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: CChar.self)
            var (left, free) = (bytes.count, room)
            let changed = iconv(handle, &source, &left, &target, &free)
            // The second call writes what a set with shifts still holds back.
            let flushed = changed == .max ? .max : iconv(handle, nil, nil, &target, &free)
            isWhole = changed != .max && flushed != .max && left == 0
            count = room - free
        }
        return isWhole ? result : nil
    }
}

/// The name of a character set as the network wrote it, safe to hand to iconv.
struct CharsetName {
    /// In capitals.
    let text: String

    /// `nil` for what is no name of a set.
    init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "-_.:()+".utf8.contains(byte)
            }
        }
        let name = text.uppercased()
        guard isPlain, (1...40).contains(text.utf8.count), !name.contains("UTF-7"), !name.contains("UTF7") else {
            return nil
        }
        self.text = name
    }

    /// How iconv may know it, the likeliest first.
    var spellings: [String] {
        [text, usual, String(text.map { $0 == "_" ? "-" : $0 }), text.filter { $0 != "-" && $0 != "_" }]
    }

    /// The spellings of Windows programs that iconv does not know: `win-1251`, `x-cp866`, `cp-1252`.
    private var usual: String {
        var rest = text[...]
        if rest.hasPrefix("X-") { rest = rest.dropFirst(2) }
        for start in ["WINDOWS", "WIN", "CP", "DOS", "IBM"] where rest.hasPrefix(start) {
            let number = rest.dropFirst(start.count).drop { $0 == "-" || $0 == "_" }
            if !number.isEmpty, number.allSatisfy(\.isNumber) { return "CP\(number)" }
        }
        return switch rest {
        case "KOI8R": "KOI8-R"
        case "KOI8U": "KOI8-U"
        default: String(rest)
        }
    }
}
