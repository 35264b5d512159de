// SPDX-License-Identifier: Apache-2.0

import Bus
import Glibc
import HTTPServer

/// The node file: where this process listens and keeps its data.
///
/// Every key may be left out; `busd.yaml` is its usual name.
struct NodeFile: ModuleSettings {
    /// Where banks and apps reach the bus.
    let listen: [ListenAddress]
    /// The certificate of that listener.
    let tls: TLSSettings?
    /// How many connections that listener takes.
    let connections: ConnectionSettings
    /// Where operators reach the bus.
    let admin: AdminSettings
    /// Where messages and subscriptions are kept.
    let store: StoreLocation
    /// Dynamic libraries with further modules.
    let plugins: [FilePath]
    /// Pipeline files, each perhaps a pattern.
    let pipelines: [FilePath]
    /// What is logged, and how.
    let log: LogSettings
    /// The key that encrypts message content at rest.
    let contentKey: Secret?
    /// How long notifications are kept after their acceptance, where they are finished by then.
    let retention: Duration
    /// How long a stop waits for what is under way.
    let drainTimeout: Duration

    /// The node of a user who wrote no node file.
    static let withoutFile: NodeFile = {
        let nothing = ConfigurationNode(.map([]), at: SourceMark(file: "busd.yaml"))
        guard let node = try? NodeFile.read(nothing) else { preconditionFailure("a node file's keys are all optional") }
        return node
    }()

    /// The node file that counts where none is named: `busd.yaml` of this folder, if there is one.
    static var pathInThisFolder: String? { access(usualName, F_OK) == 0 ? usualName : nil }

    /// What a node file is called where nobody says otherwise.
    static let usualName = "busd.yaml"

    init(from reader: inout SettingsReader) {
        listen = reader.optionalList(
            "listen",
            "Where banks and apps reach the bus; one address or a list.",
            default: [.loopback(8080)],
            acceptsOne: true,
            example: "\"[::1]:8080\""
        )
        tls = reader.optionalGroup("tls", "The certificate of that listener; without it, plain HTTP.")
        connections = reader.group("connections", "How many connections each address of that listener takes.")
        admin = reader.group("admin", "Where operators reach the bus: health, metrics, console.")
        store = StoreLocation.read(&reader, key: "store")
        plugins = reader.optionalList(
            "plugins",
            "Dynamic libraries with further modules.",
            example: "[plugins/libAcmeBank.so]"
        )
        pipelines = reader.optionalList(
            "pipelines",
            "Pipeline files; * and ? stand for parts of a file's name.",
            default: [FilePath("pipelines/*.yaml", in: reader.mark(of: "").directory)],
            acceptsOne: true
        )
        log = reader.group("log", "What is logged on standard error, and how.")
        contentKey = reader.optional("content_key", "The key that encrypts message content at rest.")
        retention = reader.optional(
            "retention",
            "How long notifications are kept after their acceptance; what is not finished then, until it is.",
            default: .seconds(30 * 86_400),
            in: .seconds(1)...(.seconds(100 * 366 * 86_400))
        )
        drainTimeout = reader.optional(
            "drain_timeout",
            "How long a stop waits for what is under way.",
            default: .seconds(30)
        )
        reader.ignoreKeys(prefix: "x-")
        if reader.isEmptyList("listen") {
            reader.report("'listen' must not be empty: nobody could reach the bus", at: "listen")
        }
        reportAddressesTakenTwice(&reader)
        if reader.isGiven("content_key") {
            reader.report(
                "'content_key' is not available in this release; content would not be encrypted",
                at: "content_key"
            )
        }
        if reader.isGiven("listeners") {
            reader.ignoreKeys(prefix: "listeners")
            let problem = "'listeners' is not available in this release; 'listen' takes a list of addresses"
            reader.report(.error(at: reader.keyMark(of: "listeners"), problem))
        }
    }
}

extension NodeFile {
    /// Finds addresses that two listeners want; port 0 is another one each time.
    private func reportAddressesTakenTwice(_ reader: inout SettingsReader) {
        var taken: Set<String> = []
        for address in listen + [admin.listen] where address.port != 0 {
            if taken.insert(address.description).inserted { continue }
            let key = reader.isGiven("listen") ? "listen" : "admin"
            reader.report("two listeners want \(address); give each a port of its own", at: key)
        }
    }
}

/// The certificate of a listener.
struct TLSSettings: ModuleSettings {
    /// The certificate, with the chain up to the root.
    let certificate: FilePath
    /// Its private key.
    let key: FilePath
    /// The roots that banks' own certificates must lead to.
    let clientCA: FilePath?

    init(from reader: inout SettingsReader) {
        certificate = reader.required("certificate", "The certificate and its chain, PEM.", example: "tls/cert.pem")
        key = reader.required("key", "The certificate's private key, PEM.", example: "tls/key.pem")
        clientCA = reader.optional(
            "client_ca",
            "The roots that client certificates must lead to, PEM.",
            example: "tls/banks.pem"
        )
    }
}

/// The listener for operators.
struct AdminSettings: ModuleSettings {
    /// Where it listens.
    let listen: ListenAddress
    /// Where that is written.
    let listenMark: SourceMark
    /// What a caller must present to change something.
    let token: Secret?

    init(from reader: inout SettingsReader) {
        listen = reader.optional("listen", "Where operators reach the bus.", default: .loopback(8081))
        listenMark = reader.mark(of: "listen")
        token = reader.optional(
            "token",
            "What a caller must present to change something; without it, nothing can be changed.",
            example: "\"${BUSD_ADMIN_TOKEN}\"",
            // A variable that is set to nothing must not open the door.
            validate: { $0.reveal().isEmpty ? "must not be empty; without the key, nothing can be changed" : nil }
        )
    }
}

/// What is logged, and how.
struct LogSettings: ModuleSettings {
    /// What is written at all.
    enum Level: String, CaseIterable, SettingsValue { case debug, info, warning, error }
    /// The form of a line.
    enum Format: String, CaseIterable, SettingsValue { case text, json }

    /// The least level that is written.
    let level: Level
    /// The form of a line.
    let format: Format

    init(level: Level, format: Format) {
        self.level = level
        self.format = format
    }

    init(from reader: inout SettingsReader) {
        level = reader.optional("level", "The least level that is written.", default: .info)
        format = reader.optional("format", "Text for people, or a JSON object a line for machines.", default: .text)
    }
}
