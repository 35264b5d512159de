// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Sandbox
import YAML

/// A file of failures that the sandbox begins with: `busd sandbox --rules FILE.yaml`.
struct SandboxRules: ModuleSettings {
    /// The rules of each service's stand-in, in order.
    let rules: [SandboxService: [PushRule]]

    init(from reader: inout SettingsReader) {
        let read: [SandboxRule] = reader.requiredGroups("rules", "What the stand-ins do, the first match counts.")
        rules = Dictionary(grouping: read, by: \.service).mapValues { $0.map(\.rule) }
    }

    /// Reads a file and adds what is wrong to `diagnostics`; blocks.
    static func load(_ path: String, diagnostics: inout [Diagnostic]) -> [SandboxService: [PushRule]] {
        guard let root = YAML.load(path, diagnostics: &diagnostics) else { return [:] }
        return read(root, context: SettingsContext(), diagnostics: &diagnostics)?.rules ?? [:]
    }
}

/// A rule as one writes it in YAML; over HTTP the same is written in JSON.
private struct SandboxRule: ModuleSettings {
    let service: SandboxService
    var rule = PushRule()

    init(from reader: inout SettingsReader) {
        service = reader.optional("service", "Whose stand-in it is for.", default: .apns)
        let token: String? = reader.optional(
            "token",
            "The device token or phone number it is for; without it, every one."
        )
        rule.token = token == "*" ? nil : token
        rule.effect = reader.optional("effect", "What happens to the request.", default: .answer)
        rule.status = reader.optional("status", "The status of the answer.", default: 200, in: 200...599)
        rule.reason = reader.optional("reason", "The reason or code in the answer's body, or of the GOAWAY.")
        let timestamp: Int? = reader.optional("timestamp", "The timestamp of a 410, in milliseconds since 1970.")
        rule.timestamp = timestamp.map(Int64.init)
        rule.retryAfter = reader.optional("retry_after", "The Retry-After header: seconds or an HTTP date.")
        rule.body = reader.optional("body", "A body in place of the provider's JSON, for instance a proxy's HTML.")
        let delay: Duration? = reader.optional("delay", "How long it takes until it happens.")
        rule.delay = delay.map { Int($0.inMilliseconds) } ?? 0
        rule.streamLimit = reader.optional("stream_limit", "The stream limit from then on.", in: 0...100_000)
        rule.report = reader.optional("report", "What the SMS gateway reports of a message.")
        rule.times = reader.optional("times", "How many requests it meets; without it, no end.", in: 1...1_000_000_000)
        rule.every = reader.optional("every", "It meets every n-th request.", default: 1, in: 1...1_000_000_000)
        rule.after = reader.optional(
            "after",
            "How many requests it lets pass first.",
            default: 0,
            in: 0...1_000_000_000
        )
        rule.connections = reader.optional(
            "connections",
            "It meets requests on the first so many connections that bring one; without it, on all.",
            in: 1...1_000_000_000
        )
        rule.isPerConnection = reader.optional(
            "per_connection",
            "Whether times, every and after are counted on each connection for itself.",
            default: false
        )
        let lasting: Duration? = reader.optional("lasting", "How long it is in force, from the start on.")
        rule.lasting = lasting.map(\.inMilliseconds)
        if let problem = rule.problem(for: service) {
            let key = problem.key == "perConnection" ? "per_connection" : problem.key
            reader.report("'\(key)' \(problem.message)", at: key)
        }
    }
}

extension PushRule.Effect: SettingsValue {}
extension PushRule.Report: SettingsValue {}
extension SandboxService: SettingsValue {}

extension Duration {
    fileprivate var inMilliseconds: Int64 {
        // Ten years at most: nothing in a sandbox lasts longer.
        let seconds = min(components.seconds, 315_360_000)
        return seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
