// SPDX-License-Identifier: Apache-2.0

public import Bus
import CertificateFiles
import HTTPClient

/// The options that every link to a bank's service has, whatever language it speaks.
public struct BankServiceSettings: ModuleSettings {
    /// Where the service is called.
    public let url: String
    /// Whether the service is called over TLS.
    public let isSecure: Bool
    /// Whether the service is on this machine.
    public let isLocal: Bool
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
        let service: ServiceURL = reader.required(
            "url",
            "Where the bank's service is called.",
            example: "https://bank.example/busd"
        )
        url = service.text
        isSecure = service.isSecure
        isLocal = service.isLocal
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

    /// Reads the file that `ca` names and reports what is wrong with it.
    public func check(_ check: inout ModuleCheck) {
        AuthorityFile.check(ca, &check)
    }
}
