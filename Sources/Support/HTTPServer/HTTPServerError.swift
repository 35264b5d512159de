// SPDX-License-Identifier: Apache-2.0

/// The server cannot listen; the description says where and why.
public struct HTTPServerError: Error, Sendable, CustomStringConvertible {
    /// One sentence for people.
    public let description: String

    init(_ description: String) { self.description = description }
}
