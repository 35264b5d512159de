// SPDX-License-Identifier: Apache-2.0

import BankService
public import Bus

/// The options of outbound `rest_bank`.
public struct RESTBankLinkSettings: ModuleSettings {
    let service: BankServiceSettings
    let secret: Secret?

    /// Reads the options.
    public init(from reader: inout SettingsReader) {
        service = BankServiceSettings(from: &reader)
        secret = reader.optional(
            "secret",
            "Signs every body with HMAC-SHA256, in hex in X-Busd-Signature: sha256=…",
            example: "${BANK_SECRET}"
        ) { (secret: Secret) in
            secret.reveal().isEmpty ? "must not be empty" : nil
        }
        if service.url.contains("?") || service.url.hasSuffix("/") {
            reader.report(
                .error(at: service.urlMark, "'url' must end with a path that more can follow: no ?, no / at its end")
            )
        }
    }
}
