// SPDX-License-Identifier: Apache-2.0

/// What a gateway tells of a delivery some time after it accepted it: where a text message came to.
public struct GatewayReport: Sendable, Equatable {
    /// Where it came to.
    public enum Fate: Sendable, Equatable {
        /// The phone has it.
        case delivered
        /// The phone will never have it; why, for operators: no content, token or number.
        case undeliverable(reason: String)
    }

    /// The ``Delivery/reference`` that the gateway was given.
    public var reference: String
    /// Where it came to.
    public var fate: Fate

    /// Describes a report.
    public init(reference: String, fate: Fate) {
        self.reference = reference
        self.fate = fate
    }
}
