// SPDX-License-Identifier: Apache-2.0

/// The part of a notification that the app fetches when it wants to show more.
public struct PushDetails: Sendable, Equatable {
    /// The title, in one line.
    public var name: String?
    /// The address of a picture, shown at 64 by 64.
    public var logoURL: String?
    /// Text in several lines.
    public var description: String?
    /// Named facts, shown as a list.
    public var tags: [Tag]
    /// A sum of money.
    public var amount: Amount?

    /// A named fact.
    public struct Tag: Sendable, Equatable {
        /// The fact's name.
        public var key: String
        /// The fact.
        public var value: String?

        /// Names a fact.
        public init(key: String, value: String?) {
            self.key = key
            self.value = value
        }
    }

    /// A sum of money.
    public struct Amount: Sendable, Equatable {
        /// The currency's ISO 4217 code.
        public var currency: String
        /// The sum in hundredths.
        public var fxAmount: Int64

        /// Describes a sum.
        public init(currency: String, fxAmount: Int64) {
            self.currency = currency
            self.fxAmount = fxAmount
        }
    }

    /// Describes details; everything may be absent.
    public init(
        name: String? = nil,
        logoURL: String? = nil,
        description: String? = nil,
        tags: [Tag] = [],
        amount: Amount? = nil
    ) {
        self.name = name
        self.logoURL = logoURL
        self.description = description
        self.tags = tags
        self.amount = amount
    }
}
