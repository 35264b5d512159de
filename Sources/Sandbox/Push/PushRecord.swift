// SPDX-License-Identifier: Apache-2.0

/// One request that a stand-in for a push provider has seen, and what became of it.
public struct PushRecord: Sendable {
    /// When it was complete, milliseconds since 1970.
    public let at: Int64
    /// The connection it came on, counted from 1.
    public let connection: Int
    /// The device token it is for; at the token endpoint, who asks.
    public let token: String
    /// Its headers without `authorization`.
    public let headers: [(name: String, value: String)]
    /// Its body.
    public let body: [UInt8]
    /// The status of the answer; 0 where there was none.
    public let status: Int
    /// The reason in the answer, or the effect of the rule that kept it from being answered.
    public let reason: String

    /// The value of a header, by its lower-case name.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
