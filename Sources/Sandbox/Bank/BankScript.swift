// SPDX-License-Identifier: Apache-2.0

/// What the bank stand-in knows of its customers, and how it fails.
public struct BankScript: Sendable, Equatable {
    /// Makes calls fail on purpose.
    public struct Failure: Sendable, Equatable {
        /// The operation it is for; `nil` for all.
        public var operation: String?
        /// The HTTP status of the answer.
        public var status = 500
        /// The code of the fault that is answered, `Client` or `Server`; `nil` for an answer that is no SOAP.
        public var fault: String?
        /// How many calls it meets before it is spent; `nil` for no end.
        public var times: Int?

        /// Describes a failure.
        public init(operation: String? = nil, status: Int = 500, fault: String? = nil, times: Int? = nil) {
            self.operation = operation
            self.status = status
            self.fault = fault
            self.times = times
        }
    }

    /// The users who agreed before; whoever proves himself with a code is added.
    public var authorized: Set<String> = []
    /// The code that a customer's text message holds.
    public var code = "123456"
    /// The numbers of customers that it does not know.
    public var unknownClients: Set<String> = []
    /// The users for whom it says ERROR to `authorizeSubscription`.
    public var refused: Set<String> = []
    /// What fails; the first that fits.
    public var failures: [Failure] = []
    /// Whether it answers 503 to everything.
    public var isDown = false
    /// Milliseconds before each answer.
    public var delay = 0

    /// Creates a bank that knows everybody and has nobody's consent.
    public init() {}

    /// The failure that a call of an operation meets; uses it up by one.
    mutating func takeFailure(for operation: String) -> Failure? {
        if isDown { return Failure(status: 503) }
        for index in failures.indices where failures[index].operation.map({ $0 == operation }) ?? true {
            let failure = failures[index]
            if let times = failure.times {
                guard times > 0 else { continue }
                failures[index].times = times - 1
            }
            return failure
        }
        return nil
    }
}
