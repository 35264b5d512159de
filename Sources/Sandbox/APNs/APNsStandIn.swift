// SPDX-License-Identifier: Apache-2.0

import Crypto

/// A rule of the APNs stand-in.
public typealias APNsRule = PushRule

extension PushStandIn {
    /// Starts a stand-in for Apple's push service.
    static func apns(port: UInt16, keys: SandboxKeys, options: SandboxOptions) throws -> PushStandIn {
        let trusted = ProviderKeys(
            team: SandboxKeys.teamID,
            keys: [SandboxKeys.keyID: keys.provider.verifyingKey]
        )
        let desk = APNsDesk(
            keys: trusted,
            checks: APNsChecks(topics: options.topics),
            trustedLimit: options.startsCarefully ? options.streamLimit : nil,
            capacity: options.recordLimit
        )
        return try PushStandIn(
            port: port,
            keys: keys,
            desk: desk,
            streams: options.startsCarefully ? 1 : options.streamLimit,
            name: "sandbox-apns"
        )
    }
}
