// SPDX-License-Identifier: Apache-2.0

/// Reads the head of one request, byte by byte, as strictly as RFC 9112 allows; a state machine without I/O.
///
/// It keeps next to nothing: how long things are, and the three fields that say where the request ends.
struct HeadScanner {
    private enum State {
        case start, startLineFeed, method, target, version
        case lineFeed, lineStart, name, value, endLineFeed
    }

    /// Blank lines that may come before a request: clients of old sent one behind a body.
    private static let mostBlankLines = 2
    private static let longestMethod = 32
    /// The bytes that libmicrohttpd takes for each field, query parameter and cookie, beside what was sent.
    private static let entrySize = 64
    /// The bytes of a connection's memory that the head of the answer needs.
    private static let answerSize = 2 << 10

    private let memory: Int
    private var state = State.start
    private var blankLines = 0
    private var size = 0
    private var targetSize = 0
    private var entries = 0
    private var form = TargetForm.path
    private var line: [UInt8] = []
    private var fields = FramingFields()

    /// For a server that gives each connection so many bytes.
    init(memory: Int) { self.memory = memory - Self.answerSize }

    /// Whether no byte of a request has come.
    var isAtStart: Bool { state == .start && blankLines == 0 }

    /// How the body behind the head is framed, once the head has ended.
    private(set) var body: BodyScanner?

    /// Begins with the next request, in the memory of the last.
    mutating func reset() {
        body = nil
        (blankLines, size, targetSize, entries) = (0, 0, 0, 0)
        line.removeAll(keepingCapacity: true)
        fields.reset()
    }

    /// Takes bytes; returns how many of them are the head's.
    mutating func take(_ bytes: Slice<UnsafeRawBufferPointer>) throws(FramingFault) -> Int {
        var index = bytes.startIndex
        while index < bytes.endIndex, body == nil {
            index += skip(bytes[index...])
            guard index < bytes.endIndex else { break }
            try take(bytes[index])
            index += 1
        }
        return index - bytes.startIndex
    }

    /// Passes over a run of bytes of which none changes the state: most of a head is that.
    ///
    /// A byte that it leaves is taken by itself, and refused there where it is wrong.
    private mutating func skip(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        let room = memory - entries * Self.entrySize - size
        let run = UnsafeRawBufferPointer(rebasing: bytes.prefix(max(room, 0)))
        let count: Int
        switch state {
        case .value where fields.isPassing:
            count = run.prefixLength { $0 != Octet.semicolon && OctetKind.allows($0, as: .value) }
        case .name:
            count = run.prefixLength { OctetKind.allows($0, as: .token) }
            line.append(contentsOf: run.prefix(min(count, max(0, FramingFields.longestName + 1 - line.count))))
        case .target where targetSize > 0 && form.isPath:
            count = run.prefixLength {
                $0 != Octet.ampersand && $0 != Octet.questionMark && OctetKind.allows($0, as: .target)
            }
            targetSize += count
        default: return 0
        }
        size += count
        return count
    }

    private mutating func take(_ byte: UInt8) throws(FramingFault) {
        size += 1
        if size + entries * Self.entrySize > memory { throw overflow }
        switch state {
        case .value: try takeValue(byte)
        case .name: try takeName(byte)
        case .target: try takeTarget(byte)
        case .start: try begin(byte)
        case .startLineFeed: try expectLineFeed(byte, then: .start)
        case .method: try takeMethod(byte)
        case .version: try takeVersion(byte)
        case .lineFeed: try expectLineFeed(byte, then: .lineStart)
        case .lineStart: try beginLine(byte)
        case .endLineFeed:
            try expectLineFeed(byte, then: .start)
            body = try fields.body()
        }
    }

    private var overflow: FramingFault { targetSize > size / 2 ? .targetTooLong : .headTooLarge }

    private mutating func expectLineFeed(_ byte: UInt8, then next: State) throws(FramingFault) {
        guard byte == Octet.lineFeed else { throw .malformed("a line must end with CR and LF") }
        state = next
    }

    // MARK: The request line

    private mutating func begin(_ byte: UInt8) throws(FramingFault) {
        if byte == Octet.carriageReturn, blankLines < Self.mostBlankLines {
            blankLines += 1
            state = .startLineFeed
            return
        }
        state = .method
        try takeMethod(byte)
    }

    private mutating func takeMethod(_ byte: UInt8) throws(FramingFault) {
        if byte == Octet.blank, !line.isEmpty {
            line.removeAll(keepingCapacity: true)
            state = .target
            return
        }
        guard OctetKind.allows(byte, as: .token), line.count < Self.longestMethod else {
            throw .malformed("the request line does not begin with a method")
        }
        line.append(byte)
    }

    private mutating func takeTarget(_ byte: UInt8) throws(FramingFault) {
        if byte == Octet.blank, targetSize > 0 {
            guard form.isComplete else { throw TargetForm.fault }
            state = .version
            return
        }
        guard OctetKind.allows(byte, as: .target) else {
            throw .malformed("the request's target holds a byte that must be percent-encoded, or is missing")
        }
        try form.take(byte, isFirst: targetSize == 0)
        targetSize += 1
        if byte == Octet.ampersand || byte == Octet.questionMark { entries += 1 }
    }

    private mutating func takeVersion(_ byte: UInt8) throws(FramingFault) {
        if byte == Octet.carriageReturn {
            fields.isVersion11 = line.elementsEqual("HTTP/1.1".utf8)
            guard fields.isVersion11 || line.elementsEqual("HTTP/1.0".utf8) else { throw versionFault }
            state = .lineFeed
            return
        }
        line.append(byte)
        guard line.count <= 8 else { throw versionFault }
    }

    private var versionFault: FramingFault {
        let isVersion = line.count == 8 && line.starts(with: "HTTP/".utf8)
        return isVersion ? .version : .malformed("the request line has no HTTP version")
    }

    // MARK: The fields

    private mutating func beginLine(_ byte: UInt8) throws(FramingFault) {
        line.removeAll(keepingCapacity: true)
        switch byte {
        case Octet.carriageReturn: state = .endLineFeed
        case Octet.blank, Octet.tab: throw .malformed("a header field must not be continued on another line")
        default:
            entries += 1
            state = .name
            try takeName(byte)
        }
    }

    private mutating func takeName(_ byte: UInt8) throws(FramingFault) {
        if byte == Octet.colon, !line.isEmpty {
            fields.begin(line)
            state = .value
            return
        }
        guard OctetKind.allows(byte, as: .token) else {
            throw .malformed("the name of a header field is empty, or holds a blank or another byte that it must not")
        }
        if line.count <= FramingFields.longestName { line.append(byte) }
    }

    private mutating func takeValue(_ byte: UInt8) throws(FramingFault) {
        if byte == Octet.carriageReturn {
            fields.end()
            state = .lineFeed
            return
        }
        guard OctetKind.allows(byte, as: .value) else {
            throw .malformed("the value of a header field holds NUL or another byte that it must not")
        }
        // A cookie each; other fields may hold semicolons too, and are no worse off for it.
        if byte == Octet.semicolon { entries += 1 }
        try fields.take(byte)
    }
}

extension UnsafeRawBufferPointer {
    /// How many bytes from the first on are of a kind.
    @inline(__always)
    fileprivate func prefixLength(_ isOfKind: (UInt8) -> Bool) -> Int {
        var index = 0
        while index < count, isOfKind(self[index]) { index += 1 }
        return index
    }
}
