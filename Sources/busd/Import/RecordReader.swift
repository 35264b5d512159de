// SPDX-License-Identifier: Apache-2.0

import CSV
import Glibc

/// Reads a CSV file of any size record by record; a record that is at fault does not hide those behind it.
final class RecordReader {
    /// The longest record, in bytes: a quote that nobody closes must not swallow the file.
    private static let longest = 64 << 10

    /// A record, or why it is none.
    enum Record {
        case fields([String], line: Int, columns: [Int])
        case fault(String, line: Int)
    }

    private let descriptor: Int32
    /// Bytes of the file, and how many of them are read.
    let size: Int
    private(set) var position = 0
    private var buffer: [UInt8] = []
    private var start = 0
    private var line = 1
    private var isAtEnd = false

    /// Opens a file.
    ///
    /// - Throws: why it cannot be read.
    init(_ path: String) throws(NodeError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var facts = stat()
        guard descriptor >= 0, fstat(descriptor, &facts) == 0 else {
            throw NodeError(message: "\(path):1:1: error: cannot be read: \(String(cString: strerror(errno)))")
        }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw NodeError(message: "\(path):1:1: error: is no file")
        }
        size = Int(facts.st_size)
        fill()
        if buffer.starts(with: [0xef, 0xbb, 0xbf]) { start = 3 }
    }

    deinit { close(descriptor) }

    private func fill() {
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(descriptor, &chunk, chunk.count)
        guard count > 0 else { return isAtEnd = true }
        position += count
        buffer.removeFirst(start)
        start = 0
        buffer += chunk.prefix(count)
    }

    /// The next record that is no empty line; `nil` at the end.
    func next() -> Record? {
        while true {
            guard let end = endOfRecord() else {
                guard start < buffer.count else { return nil }
                return take(upTo: buffer.count)
            }
            let first = line
            guard let record = take(upTo: end) else { continue }
            if case .fields(let fields, _, _) = record, fields == [""] { continue }
            if case .fault(let what, _) = record { return .fault(what, line: first) }
            return record
        }
    }

    /// Where the record ends that begins at `start`: behind a line break that is in no quotes.
    private func endOfRecord() -> Int? {
        var isQuoted = false
        var place = start
        while true {
            while place < buffer.count {
                switch buffer[place] {
                case UInt8(ascii: "\""): isQuoted.toggle()
                case UInt8(ascii: "\n") where !isQuoted: return place + 1
                default: break
                }
                place += 1
                if isQuoted, place - start > Self.longest { return endOfLine() }
            }
            guard !isAtEnd else { return isQuoted ? endOfLine() : nil }
            let offset = place - start
            fill()
            place = start + offset
        }
    }

    private func endOfLine() -> Int? { buffer[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } }

    private func take(upTo end: Int) -> Record? {
        let bytes = Array(buffer[start..<end])
        let first = line
        line += bytes.count { $0 == UInt8(ascii: "\n") }
        start = end
        do throws(CSV.ParseError) {
            guard let row = try CSV.parse(bytes).first else { return nil }
            return .fields(row.fields, line: first, columns: Self.columns(bytes))
        } catch {
            return .fault(error.message, line: first)
        }
    }

    /// Where the fields begin in their line, from 1.
    private static func columns(_ bytes: [UInt8]) -> [Int] {
        var columns = [1]
        var isQuoted = false
        var column = 1
        for byte in bytes {
            // What continues a character is no column of its own.
            if byte & 0xc0 != 0x80 { column += 1 }
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: ","), !isQuoted { columns.append(column) }
        }
        return columns
    }
}
