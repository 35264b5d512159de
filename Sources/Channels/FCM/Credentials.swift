// SPDX-License-Identifier: Apache-2.0

import Bus
import PushService

/// What the settings' files hold, read once when the channel is made.
struct Credentials: Sendable {
    /// The token that lets us send.
    let token: AccessToken
    /// The project that is sent for.
    let project: String
    /// PEM certificates trusted in addition to the system's.
    let roots: [UInt8]

    init(_ settings: FCMSettings, log: Log) throws(ProviderFile.LoadError) {
        roots = try settings.ca.map(ProviderFile.read) ?? []
        let file = try ProviderFile.read(settings.serviceAccount)
        do throws(ServiceAccount.ReadError) {
            let account = try ServiceAccount(file: file)
            project = account.project
            token = AccessTokens.shared.token(of: account, file: file, roots: roots, log: log)
        } catch {
            let problem = error.problems.first ?? "cannot be used"
            throw ProviderFile.LoadError("'service_account' \(settings.serviceAccount.written) \(problem)")
        }
    }
}
