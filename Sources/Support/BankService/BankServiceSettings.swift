// SPDX-License-Identifier: Apache-2.0

public import Bus
import Crypto

/// The options that every link to a bank's service has, whatever language it speaks.
public struct BankServiceSettings: ModuleSettings {
    /// Where the service is called.
    public let url: String
    /// Where `url` stands.
    public let urlMark: SourceMark
    /// What the bank wants to hear.
    public let events: Set<BankEvent.Kind>
    /// Certificates trusted in addition to the system's.
    public let ca: FilePath?
    /// How long one call may take.
    public let timeout: Duration
    /// Whether a notification that was sent and never confirmed is reported as expired.
    public let reportsUnconfirmed: Bool

    /// Reads the options, of a link with more of its own from the same map.
    public init(from reader: inout SettingsReader) {
        url = reader.required(
            "url",
            "Where the bank's service is called.",
            example: "https://bank.example/busd",
            validate: Self.problem(url:)
        )
        urlMark = reader.mark(of: "url")
        events = Set(reader.optionalList("events", "What the bank wants to hear.", default: [.expired, .opened]))
        ca = reader.optional(
            "ca",
            "Certificates (PEM) trusted in addition to the system's.",
            example: "tls/bank-ca.pem"
        )
        timeout = reader.optional(
            "timeout",
            "How long one call may take.",
            default: .seconds(10),
            in: .milliseconds(100)...(.seconds(300))
        )
        reportsUnconfirmed = reader.optional(
            "report_unconfirmed",
            "Whether a notification that was sent and never confirmed is reported as expired.",
            default: false
        )
    }

    /// Whether the service is called over TLS.
    public var isSecure: Bool { url.lowercased().hasPrefix("https://") }

    /// Whether the service is on this machine.
    public var isLocal: Bool {
        let host = url.dropFirst(isSecure ? "https://".count : "http://".count)
        return ["127.", "localhost", "[::1]"].contains { host.hasPrefix($0) }
    }

    /// Reads the file that `ca` names and reports what is wrong with it.
    public func check(_ check: inout ModuleCheck) {
        guard let ca else { return }
        do throws(SettingsProblem) {
            let bytes = try check.readFile(ca.resolved)
            guard CertificateBundle.count(in: bytes) == 0 else { return }
            check.error(at: ca.mark, "'ca' \(ca.written) holds no PEM certificate")
        } catch {
            check.error(at: ca.mark, "'ca' \(ca.written) cannot be read: \(error.message)")
        }
    }

    private static func problem(url: String) -> String? {
        let lower = url.lowercased()
        guard let scheme = ["http://", "https://"].first(where: lower.hasPrefix) else {
            return "must begin with http:// or https://"
        }
        let rest = url.dropFirst(scheme.count)
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        if host.contains("@") { return "must hold no user or password" }
        let isPlain = rest.utf8.allSatisfy { (0x21...0x7e).contains($0) && !"#\"<>\\".utf8.contains($0) }
        return !host.isEmpty && isPlain ? nil : "must be a URL: scheme, host, perhaps a port, and a path"
    }
}
