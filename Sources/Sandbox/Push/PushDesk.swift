// SPDX-License-Identifier: Apache-2.0

/// A stand-in without a network: requests in, reactions out.
protocol PushDesk: Sendable {
    /// What fails on purpose.
    var rules: PushRules { get set }
    /// What has arrived.
    var records: RecordRing<PushRecord> { get set }

    /// Learns the base URL that it is reached at, before any request.
    mutating func opened(at endpoint: String)

    /// Decides about a request that is complete, on a connection, at a time in milliseconds since 1970.
    mutating func react(to request: PushRequest, on connection: UInt64, at now: Int64) -> PushReaction
}

extension PushDesk {
    /// Needs not know.
    mutating func opened(at endpoint: String) {}
}
