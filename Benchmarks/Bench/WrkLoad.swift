// SPDX-License-Identifier: Apache-2.0

/// Load by wrk, which costs so little that what is measured is the server: notifications with random ids.
struct WrkLoad {
    let port: UInt16
    let path: String
    /// Where its script is kept.
    let folder: String
    let seconds: Int
    let connections: Int
    /// Recipients of each notification, taken in turn from so many users.
    let recipients: Int
    let users: Int

    /// What it says of a run.
    struct Result {
        let requests: Int
        let times: AnswerTimes
    }

    /// Loads; all answers must be good ones.
    func run() throws -> Result {
        let script = "\(folder)/load.lua"
        try SystemText.write(lua, to: script)
        let wrk = try ChildProcess(
            "wrk",
            [
                "--threads", "1", "--connections", "\(connections)", "--duration", "\(seconds)s", "--timeout", "10s",
                "--script", script, "http://127.0.0.1:\(port)\(path)",
            ]
        )
        var result: Result?
        var errors = ""
        while let line = wrk.line() {
            if line.hasPrefix("status ") { errors = line }
            let words = line.split(separator: " ").compactMap { Int($0) }
            guard line.hasPrefix("RESULT "), words.count == 5 else { continue }
            guard words[1] == 0 else { throw BenchFailure("wrk counts bad answers: \(errors)") }
            let times = words[2...].map { UInt64($0) * 1_000 }
            result = Result(
                requests: words[0],
                times: AnswerTimes(median: times[0], p99: times[1], slowest: times[2])
            )
        }
        guard let result else { throw BenchFailure("wrk says nothing: is it installed? ('apt-get install wrk')") }
        return result
    }

    /// The script: a thread makes its requests from parts that stand ready, and an id.
    private var lua: String {
        let (before, after) = SOAPRequests(recipients: recipients, users: users).parts
        return """
            math.randomseed(tonumber(tostring({}):match("0x(%x+)"), 16) % 2147483647)
            local before = [==[\(before)]==]
            local after = [==[\(after)]==]
            local users, recipients, turn = \(users), \(recipients), 0
            local headers = { ["Content-Type"] = "text/xml; charset=utf-8" }
            local random, format, concat = math.random, string.format, table.concat
            request = function()
              local parts = { before, format("%08x-%04x-4%03x-a%03x-%06x%06x", random(0, 2147483647),
                random(0, 65535), random(0, 4095), random(0, 4095), random(0, 16777215), random(0, 16777215)), "</id>" }
              for place = 1, recipients do
                parts[#parts + 1] = format("<recipients>user%07d</recipients>", turn)
                turn = (turn + 1) % users
              end
              parts[#parts + 1] = after
              return wrk.format("POST", nil, headers, concat(parts))
            end
            done = function(summary, latency)
              local errors = summary.errors
              io.write(format("status %d, connect %d, read %d, write %d, timeout %d\\n", errors.status, errors.connect,
                errors.read, errors.write, errors.timeout))
              io.write(format("RESULT %d %d %d %d %d\\n", summary.requests,
                errors.status + errors.connect + errors.read + errors.write + errors.timeout,
                latency:percentile(50), latency:percentile(99), latency.max))
            end

            """
    }
}
