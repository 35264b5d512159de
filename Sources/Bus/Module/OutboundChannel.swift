// SPDX-License-Identifier: Apache-2.0

/// Carries notifications to phones.
///
/// A channel classifies what the outside said and leaves the rest to the bus: retry, backoff, deadlines, pauses,
/// fallback and dead letters are written once, there.
public protocol OutboundChannel: Module {
    /// Whether it reaches phone numbers, whatever its settings: it is then the fallback for PIN codes.
    static var isForPhones: Bool { get }
    /// The paths it will serve, so that two modules that want the same one are found before anything starts.
    static func paths(_ settings: Settings) -> [String]

    /// Whom it can reach.
    var reach: Reach { get }

    /// The most deliveries a second that the far end allows; `nil` for no limit.
    var rate: Double? { get }

    /// How long the pushes of a PIN code have before a channel for phones takes over, in milliseconds.
    var fallbackDelay: Int64 { get }

    /// What it serves on the bus's listeners, for a far end that calls back.
    ///
    /// What it hears of a delivery goes into the pipeline as a ``GatewayReport``.
    var routes: [HTTPRoute] { get }

    /// Starts to send; returns at once.
    ///
    /// Each delivery is reported to `sink` exactly once, in any order and grouped as comes naturally, before its
    /// deadline has passed by more than a second or two.
    func send(_ deliveries: [Delivery], to sink: any DeliverySink)

    /// Connects to the far end without sending anything to a customer.
    ///
    /// - Returns: `nil` when all is well, else what is wrong, in words for an operator.
    func probe() async -> String?
}

extension OutboundChannel {
    /// Reaches devices.
    public static var isForPhones: Bool { false }
    /// Serves no path.
    public static func paths(_ settings: Settings) -> [String] { [] }
    /// No limit.
    public var rate: Double? { nil }
    /// Half a minute.
    public var fallbackDelay: Int64 { 30_000 }
    /// Serves nothing over HTTP.
    public var routes: [HTTPRoute] { [] }

    /// Has no way to tell, and so finds nothing wrong.
    public func probe() async -> String? { nil }
}

/// Whom a channel can reach.
public enum Reach: Sendable, Equatable {
    /// Devices that registered with one of these platforms.
    case devices(Set<Platform>)
    /// Phone numbers.
    case phones
}

/// Where a channel tells what became of deliveries.
public protocol DeliverySink: Sendable {
    /// Takes the outcomes; never blocks.
    func report(_ reports: [DeliveryReport])
}

/// What became of one attempt.
public struct DeliveryReport: Sendable {
    /// The attempt's ticket.
    public let ticket: UInt64
    /// What the outside said.
    public let outcome: Outcome

    /// Pairs a ticket with an outcome.
    public init(ticket: UInt64, outcome: Outcome) {
        self.ticket = ticket
        self.outcome = outcome
    }
}
