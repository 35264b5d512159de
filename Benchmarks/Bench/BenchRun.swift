// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc
import LoadClient

/// One run over the rows that were asked for, in the same minutes on the same machine.
final class BenchRun {
    private static let connections = 128
    private let options: BenchOptions
    private let program: String
    private let push: PushProcess
    private var table = Table()
    private var remarks: [String] = []

    init(_ options: BenchOptions) throws {
        self.options = options
        program = CommandLine.arguments[0]
        try Folder.make(options.folder)
        push = try PushProcess(program, folder: options.folder)
    }

    /// Prints the figures; returns whether all bars of CPU were met.
    func run() throws -> Bool {
        Output.line(try Machine.description())
        Output.line(Table.head)
        for row in options.rows {
            switch row {
            case "accept": try accept()
            case "fanout": try fanOut()
            case "receipt": try receipt()
            case "connections": try manyConnections()
            case "memory": try memory()
            case "backlog": try backlog()
            case "urgent": try urgent()
            case "large": remarks += try LargeRow(program: program, options: options).measure { table.add($0, $1) }
            default: throw BenchFailure("there is no row '\(row)'\n\(BenchOptions.usage)")
            }
        }
        remarks.append("Load average at the end: \(try Machine.load()).")
        Output.line("\n" + remarks.joined(separator: "\n"))
        return table.allBarsMet
    }

    // MARK: Rows

    /// Row A: one recipient, durable, the channel paused.
    private func accept() throws {
        let nginx = try NginxYardstick(folder: options.folder)
        let bare = try Measurement(of: nginx.process) {
            let result = try wrk(nginx.port, recipients: 1).run()
            return (result.requests, result.times)
        }
        table.add("nginx returning 200, 1 KB", bare)
        let bus = try startBus()
        try bus.pauseChannel()
        let measured = try Measurement(of: bus.process) {
            let result = try wrk(bus.port, recipients: 1).run()
            return (try accepted(by: bus, result), result.times)
        }
        table.add("A. SOAP accept, 1 KB, one recipient", measured, .accept, against: bare.cpuPer100000)
    }

    /// Row B: a hundred recipients a request, to the provider's receipt and the status written.
    private func fanOut() throws {
        let requests = options.fanout / 100
        let wire = try H2LoadYardstick.measure(requests * 100, port: push.port, folder: options.folder)
        table.add("h2load, the same push again and again", wire)
        let bare = try bareSender(requests * 100, recipients: 100)
        table.add("bare sender, bodies shared by 100", bare)
        let measured = try delivered(requests, recipients: 100, connections: 16)
        table.add("B. fan-out, 100 recipients a request", measured, .fanout, against: bare.cpuPer100000)
    }

    /// Row C: one recipient a request, to the provider's receipt and the status written.
    private func receipt() throws {
        let nginx = try NginxYardstick(folder: options.folder)
        let server = try Measurement(of: nginx.process) {
            let result = try wrk(nginx.port, recipients: 1).run()
            return (result.requests, result.times)
        }
        table.add("nginx returning 200, 1 KB", server)
        let sender = try bareSender(options.receipt, recipients: 1)
        table.add("bare sender, a body each", sender)
        let bus = try startBus()
        let before = try push.count()
        let measured = try Measurement(of: bus.process) {
            let result = try wrk(bus.port, recipients: 1).run()
            let count = try accepted(by: bus, result)
            try bus.waitUntilSent(count)
            return (count, result.times)
        }
        let arrived = try push.count() - before
        guard arrived == measured.count else {
            throw BenchFailure("\(arrived) pushes arrived for \(measured.count) deliveries")
        }
        let bare = server.cpuPer100000 + sender.cpuPer100000
        table.add("C. one recipient, to the receipt", measured, .receipt, against: bare)
    }

    /// Many connections at once: nobody waits long, and they cost hardly more than few do.
    private func manyConnections() throws {
        let few = try connections(64, idle: 0)
        table.add("64 connections, to the receipt", few)
        let many = try connections(1_000, idle: 3_000)
        table.add("1,000 connections and 3,000 idle, to the receipt", many, against: few.cpuPer100000)
        let slowest = (many.times?.slowest ?? 0) / 1_000_000
        remarks.append("Slowest answer with 1,000 connections and 3,000 idle: \(slowest) ms.")
        guard slowest <= 1_000 else { throw BenchFailure("a request took over a second") }
    }

    private func connections(_ count: Int, idle: Int) throws -> Measurement {
        let bus = try startBus(connections: 2 * (count + idle))
        let idle = try IdleConnections(idle, port: bus.port)
        defer { idle.close() }
        return try Measurement(of: bus.process) {
            let result = try wrk(bus.port, recipients: 1, connections: count).run()
            let count = try accepted(by: bus, result)
            try bus.waitUntilSent(count)
            return (count, result.times)
        }
    }

    /// What waits on disk costs no memory.
    private func memory() throws {
        let bus = try startBus()
        try bus.pauseChannel()
        let requests = options.waiting / 200
        // The windows and caches fill first; what comes after that is what must not grow.
        _ = try load(bus.port, requests / 3, recipients: 100, connections: 16)
        let before = try ProcessFigures(of: bus.process.identifier).resident
        _ = try load(bus.port, 2 * requests - requests / 3, recipients: 100, connections: 16)
        let after = try ProcessFigures(of: bus.process.identifier).resident
        remarks.append(
            """
            Resident memory with \(requests / 3 * 100) deliveries waiting: \(before / 1_024) MiB, \
            with \(requests * 200): \(after / 1_024) MiB.
            """
        )
    }

    /// What waited while the channel was paused, drained at a provider without a limit.
    private func backlog() throws {
        let bus = try startBus()
        try bus.pauseChannel()
        let requests = options.waiting / 1_000
        _ = try load(bus.port, requests, recipients: 1_000, connections: 8)
        let measured = try Measurement(of: bus.process, count: requests * 1_000) {
            try bus.resumeChannel()
            try bus.waitUntilSent(requests * 1_000, seconds: 300)
            return nil
        }
        table.add("a backlog drained", measured)
    }

    /// Urgent goes before bulk, whatever the provider's pace.
    private func urgent() throws {
        for pace in [options.pace, 0] {
            try UrgencyRow(program: program, options: options).measure(pace: pace) { table.add($0, $1) }
        }
    }

    // MARK: Parts

    private func startBus(connections: Int? = nil) throws -> BusUnderTest {
        let bus = try BusUnderTest(options.program, folder: options.folder, push: push, connections: connections)
        try bus.register(options.users)
        return bus
    }

    private func delivered(_ requests: Int, recipients: Int, connections: Int) throws -> Measurement {
        let bus = try startBus()
        let before = try push.count()
        let count = requests * recipients
        let measured = try Measurement(of: bus.process, count: count) {
            let answers = try load(bus.port, requests, recipients: recipients, connections: connections)
            try bus.waitUntilSent(count)
            return answers
        }
        let arrived = try push.count() - before
        guard arrived == count else { throw BenchFailure("\(arrived) pushes arrived for \(count) deliveries") }
        return measured
    }

    private func load(
        _ port: UInt16,
        _ count: Int,
        recipients: Int,
        connections: Int
    ) throws -> LoadClient.Result {
        var requests = SOAPRequests(recipients: recipients, users: options.users)
        let ok = Array("<status>OK</status>".utf8)
        var refused: String?
        let result = try LoadClient(port: port, connections: connections).run(
            count: count,
            request: { requests.append($0, to: &$1) },
            answered: { _, status, body in
                guard status != 200 || !body.contains(ok), refused == nil else { return }
                refused = "\(status) \(String(decoding: body, as: UTF8.self))"
            }
        )
        if let refused { throw BenchFailure("a request was refused: \(refused)") }
        guard result.statuses == [200: count] else { throw BenchFailure("answers: \(result.statuses)") }
        return result
    }

    private func wrk(_ port: UInt16, recipients: Int, connections: Int = BenchRun.connections) -> WrkLoad {
        WrkLoad(
            port: port,
            path: BusUnderTest.soapPath,
            folder: options.folder,
            seconds: options.seconds,
            connections: connections,
            recipients: recipients,
            users: options.users
        )
    }

    /// What the bus accepted: wrk leaves at the end without the last answers.
    private func accepted(by bus: BusUnderTest, _ result: WrkLoad.Result) throws -> Int {
        let count = try bus.accepted()
        guard (result.requests...result.requests + 2_000).contains(count) else {
            throw BenchFailure("\(count) notifications were accepted in \(result.requests) requests")
        }
        return count
    }

    private func bareSender(_ count: Int, recipients: Int) throws -> Measurement {
        let order = BareSender.Order(
            port: push.port,
            authority: "\(options.folder)/\(PushStandIn.authorityFile)",
            count: count,
            recipients: recipients
        )
        let sender = try ChildProcess(program, order.arguments)
        return try Measurement(of: sender, count: count) {
            guard sender.line() == "\(count)" else { throw BenchFailure("the bare sender did not send all") }
            return nil
        }
    }
}
