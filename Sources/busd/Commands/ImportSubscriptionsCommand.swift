// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Threads

/// The command `import-subscriptions`.
enum ImportSubscriptionsCommand: Command {
    static let name = "import-subscriptions"
    static let synopsis = "FILE.csv --pipeline NAME [--config busd.yaml]"
    static let summary = "take users and devices of another installation into the store"
    static let details = """
        The bus must be stopped. The first line names the columns: user, device, platform, token, and any of app, phone,
        language, tags (separated by blanks), app_version, os_version, bank_client, registered (RFC 3339, or
        milliseconds since 1970). The pipeline's stages map the users. What is there already is renewed, so a run that
        was cut off is simply begun again; bad rows are listed and the rest goes in (exit 1 then).
        """

    /// Rows under way at once.
    private static let window = 512

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        let config = try arguments.option("--config")
        guard let pipeline = try arguments.option("--pipeline") else { throw UsageError("--pipeline is missing") }
        let named = try arguments.rest()
        guard let path = named.first else { throw UsageError("name a CSV file") }
        if named.count > 1 { throw UsageError("'\(named[1])' is one word too many") }
        var files = ConfigurationFiles()
        if let path = config ?? NodeFile.pathInThisFolder { files.addNode(path) }
        files.addPipelinesOfNode()
        let configuration = Configuration(files, registry: ModuleList.registry)
        let errors = configuration.diagnostics.filter { $0.severity == .error }
        DiagnosticList(errors).print()
        guard errors.isEmpty else { return .failure }
        guard let plan = configuration.plans.first(where: { $0.file.name == pipeline }) else {
            let advice = Suggestion.clause(for: pipeline, in: configuration.plans.map(\.file.name))
            throw UsageError("there is no pipeline '\(pipeline)'\(advice)")
        }
        let reader = try RecordReader(path)
        let ledger = try Node.openStore(configuration.node.store, .silent)
        defer { ledger.close() }
        return try await take(reader, path, into: SubscriptionImport(plan, ledger: ledger, log: .silent))
    }

    private static func take(
        _ reader: RecordReader,
        _ path: String,
        into target: SubscriptionImport
    ) async throws -> ExitStatus {
        var count = ImportCount(size: reader.size)
        guard let first = reader.next() else {
            Console.error("\(path):1:1: error: the file is empty")
            return .failure
        }
        guard case .fields(let header, let line, let places) = first else {
            Console.error("\(path):1:1: error: the first line names no columns")
            return .failure
        }
        let columns: SubscriptionColumns
        do throws(SubscriptionColumns.Fault) {
            columns = try SubscriptionColumns(header, onlyApp: target.onlyApp)
        } catch {
            Console.error("\(path):\(line):\(places[error.place]): error: \(error.message)")
            return .failure
        }
        while true {
            let rows = read(reader, path, columns, &count)
            if rows.isEmpty { break }
            try await keep(rows, path, target, &count)
            count.tell(position: reader.position)
        }
        Console.print("\(count.added) added, \(count.renewed) renewed, \(count.bad) bad")
        return count.bad == 0 ? .success : .failure
    }

    /// The next rows that are right; what is wrong with others is told.
    private static func read(
        _ reader: RecordReader,
        _ path: String,
        _ columns: SubscriptionColumns,
        _ count: inout ImportCount
    ) -> [Row] {
        var rows: [Row] = []
        while rows.count < window, let record = reader.next() {
            switch record {
            case .fault(let message, let line):
                count.bad += 1
                Console.error("\(path):\(line):1: error: \(message)")
            case .fields(let fields, let line, let places):
                do throws(SubscriptionColumns.Fault) {
                    let (registration, registeredAt) = try columns.registration(fields)
                    rows.append(Row(registration: registration, registeredAt: registeredAt, line: line))
                } catch {
                    count.bad += 1
                    let column = places.indices.contains(error.place) ? places[error.place] : 1
                    Console.error("\(path):\(line):\(column): error: \(error.message)")
                }
            }
        }
        return rows
    }

    private struct Row: Sendable {
        let registration: Registration
        let registeredAt: WallTime?
        let line: Int
    }

    /// Keeps rows, all at once where they are about different devices.
    private static func keep(
        _ rows: [Row],
        _ path: String,
        _ target: SubscriptionImport,
        _ count: inout ImportCount
    ) async throws {
        var rest = rows[...]
        while !rest.isEmpty {
            var seen: Set<String> = []
            let part = rest.prefix { seen.insert("\($0.registration.app)\n\($0.registration.deviceID)").inserted }
            rest = rest.dropFirst(part.count)
            let results = try await withThrowingTaskGroup(of: (Int, SubscriptionImport.Result).self) { group in
                for row in part {
                    group.addTask {
                        (row.line, try await target.keep(row.registration, registeredAt: row.registeredAt))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for (line, result) in results.sorted(by: { $0.0 < $1.0 }) {
                switch result {
                case .added: count.added += 1
                case .renewed: count.renewed += 1
                case .refused(let reason):
                    count.bad += 1
                    Console.error("\(path):\(line):1: error: \(reason)")
                }
            }
        }
    }
}

/// How far an import is.
struct ImportCount {
    var added = 0
    var renewed = 0
    var bad = 0
    private let size: Int
    private var next = MonotonicTime.now().adding(milliseconds: 2_000)

    init(size: Int) { self.size = size }

    /// Tells once in a while.
    mutating func tell(position: Int) {
        let now = MonotonicTime.now()
        guard now >= next else { return }
        next = now.adding(milliseconds: 2_000)
        let percent = size > 0 ? min(100, position * 100 / size) : 100
        Console.error("\(added + renewed) rows, \(percent) %")
    }
}
