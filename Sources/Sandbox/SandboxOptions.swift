// SPDX-License-Identifier: Apache-2.0

/// How strict and how large the sandbox is.
public struct SandboxOptions: Sendable {
    /// The topics that APNs accepts; `nil` for any.
    public var topics: Set<String>?
    /// Whether an APNs connection carries one stream at a time until it has shown a good JWT, as Apple's do.
    public var startsCarefully = true
    /// The stream limit of an APNs connection after that.
    public var streamLimit = 1000
    /// How long an access token for FCM lives, in seconds.
    public var tokenLifetime = 3599
    /// How many records are kept; the oldest are forgotten.
    public var recordLimit = 10_000

    /// Creates options like the providers' behaviour.
    public init() {}
}
