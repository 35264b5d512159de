// SPDX-License-Identifier: Apache-2.0

/// The bounds and waits of a dispatcher.
public struct DispatchSettings: Sendable {
    /// Urgent deliveries in memory at most; what is more waits in the ledger.
    public var urgentWindow = 4_096
    /// Bulk deliveries in memory at most.
    public var bulkWindow = 16_384
    /// Urgent deliveries under way at most.
    public var urgentFlights = 4_096
    /// Attempts of bulk deliveries under way at most over one channel; how many between the two follows its pace.
    public var bulkFlights = 32...4_096
    /// Urgent deliveries under way at most over a channel that has not answered lately.
    public var urgentTrial = 10
    /// Bulk deliveries under way at most over a channel that has not answered lately.
    public var bulkTrial = 6
    /// The waits between attempts.
    public var retry = Backoff(initial: 1_000, max: 300_000)
    /// How long a channel has for one attempt, in milliseconds.
    public var attemptTimeout: Int64 = 20_000
    /// A delivery whose next attempt is further away than this leaves memory, in milliseconds.
    public var longestWaitInMemory: Int64 = 5_000
    /// How long after a success of a device another one is not noted, in milliseconds.
    public var successInterval: Int64 = 86_400_000
    /// How often expired deliveries are looked for, in milliseconds.
    public var sweepInterval: Int64 = 1_000

    /// The settings of a pipeline that says nothing.
    public init() {}

    /// Deliveries of a lane in memory that may wait for one channel; the others are parked in the ledger, so that
    /// channels that work have most of the window whatever happens to some.
    func waiting(_ lane: Queue.Lane, channels: Int) -> Int { Swift.max(1, window(lane) / Swift.max(4, 2 * channels)) }

    func window(_ lane: Queue.Lane) -> Int { lane == .urgent ? urgentWindow : bulkWindow }
    func trial(_ lane: Queue.Lane) -> Int { lane == .urgent ? urgentTrial : bulkTrial }
}
