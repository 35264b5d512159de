// SPDX-License-Identifier: Apache-2.0

/// The sandbox could not start; the description says why.
public struct SandboxError: Error, Sendable, CustomStringConvertible {
    /// One sentence for people.
    public let description: String

    init(_ description: String) { self.description = description }
}
