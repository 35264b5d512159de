// SPDX-License-Identifier: Apache-2.0

/// How a link to a bank is.
public struct LinkReport: Sendable {
    /// Its name.
    public let label: String
    /// Whether an operator stopped it.
    public let isPaused: Bool
    /// Whether it is being probed after a fault.
    public let isSuspended: Bool
    /// What the fault was.
    public let reason: String?
    /// Calls under way.
    public let underWay: Int
}
