// SPDX-License-Identifier: Apache-2.0

import Crypto
import Files
import Glibc
import LoadClient

/// The release `busd`, run as a process with an empty store of its own.
final class BusUnderTest {
    static let soapPath = "/pigeon/services/SBIInboundWebService"
    static let restPath = "/api/v1"
    static let mobilePath = "/mobile/v1"
    private static let adminToken = "bench"

    let process: ChildProcess
    /// Where banks and apps reach it.
    let port: UInt16
    private let adminPort: UInt16
    private let folder: String

    /// Starts it with a new store in `folder`, which is emptied; waits until it says that it is ready.
    ///
    /// `connections` is what it serves at once, all of one address.
    init(_ program: String, folder: String, push: PushProcess, connections: Int? = nil) throws {
        self.folder = folder
        try Self.makeEmpty(folder)
        try Self.writeConfiguration(folder, push, connections)
        let log = "\(folder)/busd.log"
        process = try ChildProcess(program, ["run", "--config", "\(folder)/busd.yaml"], log: log)
        let line = try Self.ready(process, log)
        guard let port = Self.port("listen", line), let adminPort = Self.port("admin", line) else {
            throw BenchFailure("busd does not say where it listens: \(line)")
        }
        self.port = port
        self.adminPort = adminPort
    }

    /// Gives so many users a device each, as their apps would.
    func register(_ users: Int) throws {
        let client = LoadClient(port: port, connections: 16)
        let result = try client.run(count: users, request: { $1 += Users.registration($0) })
        guard result.statuses == [201: users] else { throw BenchFailure("registration: \(result.statuses)") }
    }

    /// Stops the channel, as an operator would.
    func pauseChannel() throws {
        let status = try admin("POST /channels/bench/apns/pause").status
        guard status == 204 else { throw BenchFailure("the channel cannot be paused: \(status)") }
    }

    /// Lets the channel go on.
    func resumeChannel() throws {
        let status = try admin("POST /channels/bench/apns/resume").status
        guard status == 204 else { throw BenchFailure("the channel cannot be resumed: \(status)") }
    }

    /// Bulk deliveries that are not sent yet.
    func waiting() throws -> Int {
        let key = "busd_queue_depth{pipeline=\"bench\",lane=\"bulk\"}"
        return SystemText.number(behind: key, in: try admin("GET /metrics").body)
    }

    /// Notifications that it has accepted, once no more come.
    func accepted() throws -> Int {
        var last = -1
        while true {
            let text = try admin("GET /metrics").body
            let count = SystemText.number(behind: "busd_notifications_accepted_total{pipeline=\"bench\"}", in: text)
            if count == last { return count }
            last = count
            usleep(100_000)
        }
    }

    /// Waits until nothing is queued; fails where not all has been sent.
    func waitUntilSent(_ count: Int, seconds: Int = 120) throws {
        for _ in 0..<(seconds * 50) {
            let text = try admin("GET /metrics").body
            if text.contains("lane=\"urgent\"} 0\n"), text.contains("lane=\"bulk\"} 0\n") {
                let key = "busd_deliveries_total{pipeline=\"bench\",channel=\"apns\",status=\"sent\"}"
                let sent = SystemText.number(behind: key, in: text)
                guard sent == count else { throw BenchFailure("\(sent) of \(count) deliveries are SENT\n\(text)") }
                return
            }
            usleep(20_000)
        }
        throw BenchFailure("not all was sent within \(seconds) s")
    }

    /// Waits until nothing is queued.
    func waitUntilNothingIsQueued(seconds: Int) throws {
        for _ in 0..<(seconds * 50) {
            let text = try admin("GET /metrics").body
            if text.contains("lane=\"urgent\"} 0\n"), text.contains("lane=\"bulk\"} 0\n") { return }
            usleep(20_000)
        }
        throw BenchFailure("something is queued after \(seconds) s")
    }

    private func admin(_ line: String) throws -> (status: Int, body: String) {
        var answer = (status: 0, body: "")
        let request = """
            \(line) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(Self.adminToken)\r\n\
            Content-Length: 0\r\n\r\n
            """
        _ = try LoadClient(port: adminPort, connections: 1).run(
            count: 1,
            request: { $1 += request.utf8 },
            answered: { answer = ($1, String(decoding: $2, as: UTF8.self)) }
        )
        return answer
    }

    // MARK: Starting

    private static func makeEmpty(_ folder: String) throws {
        try Folder.make(folder)
        for file in ["bench.db", "bench.db-wal", "bench.db-shm"] { unlink("\(folder)/\(file)") }
    }

    private static func writeConfiguration(_ folder: String, _ push: PushProcess, _ connections: Int?) throws {
        let limits = connections.map { "connections: { limit: \($0), per_address: \($0) }\n" } ?? ""
        try SystemText.write(try SigningKey.generate(.p256).pem(), to: "\(folder)/AuthKey_BENCHKEY01.p8")
        try SystemText.write(
            """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0, token: \(adminToken) }
            store: sqlite:bench.db
            pipelines: [bench.yaml]
            \(limits)
            """,
            to: "\(folder)/busd.yaml"
        )
        try SystemText.write(
            """
            pipeline: bench
            inbound:
              - soap_bank: { path: \(soapPath) }
              - rest_bank: { path: \(restPath), max_body: 16MiB }
              - mobile_app: { path: \(mobilePath), authorization: none, apps: [{ id: retail }] }
            stages:
              - validate: {}
              - map_ids: { case_insensitive: true }
            outbound:
              - apns:
                  endpoint: https://127.0.0.1:\(push.port)
                  topic: com.example.bank
                  auth: { key: { path: AuthKey_BENCHKEY01.p8, key_id: BENCHKEY01, team_id: BUSDTEAM01 } }
                  ca: \(PushStandIn.authorityFile)

            """,
            to: "\(folder)/bench.yaml"
        )
    }

    private static func ready(_ process: ChildProcess, _ log: String) throws -> String {
        for _ in 0..<1_000 {
            let text = try SystemText.read(log)
            if let line = text.split(separator: "\n").first(where: { $0.contains(" ready ") }) { return String(line) }
            guard process.isRunning else { throw BenchFailure("busd does not start:\n\(text)") }
            usleep(10_000)
        }
        throw BenchFailure("busd is not ready after ten seconds")
    }

    private static func port(_ key: String, _ line: String) -> UInt16? {
        let start = " \(key)=127.0.0.1:"
        guard let field = line.split(separator: " ").first(where: { " \($0)".hasPrefix(start) }) else { return nil }
        return UInt16(field.dropFirst(start.count - 1))
    }
}

/// The stand-in for APNs, at work.
final class PushProcess {
    let port: UInt16
    private let process: ChildProcess

    init(_ program: String, folder: String, pace: Int? = nil) throws {
        try Folder.make(folder)
        process = try ChildProcess(program, [PushStandIn.name, folder] + (pace.map { ["\($0)"] } ?? []))
        guard let port = process.line().flatMap({ UInt16($0) }) else {
            throw BenchFailure("the stand-in for APNs does not start")
        }
        self.port = port
    }

    /// Pushes since its start.
    func count() throws -> Int { Int(try process.ask("count")) ?? 0 }

    /// When codes first came, by their numbers.
    func codes() throws -> [Int: UInt64] {
        var times: [Int: UInt64] = [:]
        for word in try process.ask("codes").split(separator: " ") {
            let parts = word.split(separator: ":")
            guard parts.count == 2, let number = Int(parts[0]), let time = UInt64(parts[1]) else { continue }
            times[number] = min(time, times[number] ?? time)
        }
        return times
    }
}
