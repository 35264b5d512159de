// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import Threads

/// The log on standard error: a line an entry, for people or for machines.
enum StandardErrorLog {
    static func make(_ settings: LogSettings) -> Log {
        let level = Log.Level(rawValue: settings.level.rawValue) ?? .info
        switch settings.format {
        case .text: return Log(minimum: level) { level, message, fields in Console.error(text(level, message, fields)) }
        case .json: return Log(minimum: level) { level, message, fields in Console.error(json(level, message, fields)) }
        }
    }

    private static func text(_ level: Log.Level, _ message: String, _ fields: [(key: String, value: String)]) -> String
    {
        var line = "\(Timestamp.text(WallTime.now())) \(level.rawValue) \(message)"
        for field in fields where !field.value.isEmpty {
            let isPlain = field.value.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7f }
            line += isPlain ? " \(field.key)=\(field.value)" : " \(field.key)=\(quoted(field.value))"
        }
        return line
    }

    private static func json(_ level: Log.Level, _ message: String, _ fields: [(key: String, value: String)]) -> String
    {
        var members = [
            "\"time\":\(quoted(Timestamp.text(WallTime.now())))", "\"level\":\(quoted(level.rawValue))",
            "\"message\":\(quoted(message))",
        ]
        for field in fields where !field.value.isEmpty { members.append("\(quoted(field.key)):\(quoted(field.value))") }
        return "{\(members.joined(separator: ","))}"
    }

    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
