// SPDX-License-Identifier: Apache-2.0

public import Bus

/// The options that every door for banks has, whatever language is spoken behind it.
public enum BankDoor {
    /// What `auth` is for.
    public static let auth =
        "How the bank proves who it is; without it everybody who reaches the listener is the bank."

    /// Reads `max_body`.
    public static func maximumBody(_ reader: inout SettingsReader) -> ByteCount {
        reader.optional(
            "max_body",
            "The largest request; a larger one gets HTTP 413.",
            default: .mebibytes(1),
            in: .kibibytes(1)...(.mebibytes(64))
        )
    }

    /// Reads `client_certificate`, one of the ways of `auth`.
    public static func clientCertificate(_ reader: inout SettingsReader) {
        let _: Bool = reader.required(
            "client_certificate",
            "A certificate that the node file's tls.client_ca vouches for.",
            example: "true"
        ) { (value: Bool) in value ? nil : "must be true; to let everybody in, leave 'auth' out" }
    }

    /// Warns of a door without a lock.
    public static func warnOfNoAuth(_ module: String, _ check: inout ModuleCheck) {
        check.warning("\(module) has no 'auth': everybody who reaches the listener may send notifications")
    }
}
