// SPDX-License-Identifier: Apache-2.0

/// Tells how the store is.
public protocol ObservedLedger: AnyObject, Sendable {
    /// How it is now. On any thread, without waiting.
    var condition: StoreCondition { get }
}

/// How a store is: whether it takes what is to be kept, and how much room there is.
public struct StoreCondition: Sendable, Equatable {
    /// Why nothing new can be kept, in words for an operator; `nil` where all is well.
    public var problem: String?
    /// Transactions that could not be written since the start.
    public var errors: Int
    /// Bytes of its files.
    public var bytes: Int
    /// Bytes that its disk has left for it; `nil` where that is not known.
    public var freeBytes: Int?

    /// Describes a store.
    public init(problem: String? = nil, errors: Int = 0, bytes: Int = 0, freeBytes: Int? = nil) {
        self.problem = problem
        self.errors = errors
        self.bytes = bytes
        self.freeBytes = freeBytes
    }
}
