// SPDX-License-Identifier: Apache-2.0

public import Testing

/// The stores that keep what a bus promised.
public enum LedgerKind: CaseIterable, Sendable, CustomTestStringConvertible {
    /// A file.
    case sqlite
    /// Nothing but memory; part of no release.
    case memory

    /// Those that several nodes can share.
    public static let ofSeveralNodes: [LedgerKind] = [.memory]

    /// Those that keep large notifications in chunks.
    public static let withChunks: [LedgerKind] = [.sqlite]

    /// Its name in a report.
    public var testDescription: String {
        switch self {
        case .sqlite: "SQLite"
        case .memory: "memory"
        }
    }
}
