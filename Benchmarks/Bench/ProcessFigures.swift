// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the system says of a process, from `/proc`.
struct ProcessFigures {
    /// Seconds of processor time since it started, its own and the kernel's for it.
    let cpuSeconds: Double
    /// Resident memory now, in KiB.
    let resident: Int
    /// The most resident memory it had, in KiB.
    let peakResident: Int

    init(of process: pid_t) throws {
        let stat = try SystemText.read("/proc/\(process)/stat")
        // The second field is the name in parentheses and may hold anything: count from behind it.
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw BenchFailure("/proc/\(process)/stat is not as expected")
        }
        cpuSeconds = (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        let status = try SystemText.read("/proc/\(process)/status")
        resident = SystemText.number(behind: "VmRSS:", in: status)
        peakResident = SystemText.number(behind: "VmHWM:", in: status)
    }
}

/// Small files of the system.
enum SystemText {
    static func read(_ path: String) throws -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BenchFailure(system: path) }
        defer { close(file) }
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = Glibc.read(file, &part, part.count), count > 0 { text += part.prefix(count) }
        return String(decoding: text, as: UTF8.self)
    }

    static func write(_ text: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw BenchFailure(system: path) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw BenchFailure(system: path) }
    }

    /// The rest of the first line that begins with `key`.
    static func line(behind key: String, in text: String) -> String? {
        for line in text.split(separator: "\n") where line.hasPrefix(key) {
            let rest = line.dropFirst(key.count).drop { $0 == " " || $0 == "\t" || $0 == ":" }
            return String(rest)
        }
        return nil
    }

    static func number(behind key: String, in text: String) -> Int {
        line(behind: key, in: text).flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    }
}
