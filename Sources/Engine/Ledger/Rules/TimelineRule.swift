// SPDX-License-Identifier: Apache-2.0

package import Bus
import Threads

/// A step of a delivery's timeline that no column holds, as a store keeps it.
package struct TimelineRow: Sendable, Equatable {
    /// The sorts of steps.
    package enum Kind: Sendable, Equatable {
        /// A try that failed.
        case problem
        /// A channel for phones takes over.
        case fallback
        /// A channel may have it or not.
        case unknown
        /// It reached a status.
        case status(DeliveryStatus)

        /// Its name in a timeline.
        var name: String {
            switch self {
            case .problem: "problem"
            case .fallback: "fallback"
            case .unknown: "unknown"
            case .status(let status): status.step
            }
        }

        /// Whether it is what leads to a success of the same millisecond.
        var isCause: Bool { self == .problem || self == .fallback }
    }

    /// The sort of step.
    package let kind: Kind
    /// When.
    package let at: WallTime
    /// What else is known; empty for nothing.
    package let text: String
    /// The channel that it is about.
    package let channel: String?
    /// The device's id within its app, where one device did it.
    package let device: String?

    /// Describes a step.
    package init(_ kind: Kind, at: WallTime, text: String, channel: String?, device: String?) {
        self.kind = kind
        self.at = at
        self.text = text
        self.channel = channel
        self.device = device
    }

    /// The row for what a rule says; `device` names the device of a subscription.
    package init(_ entry: TimelineEntry, device: (Int64) -> String?) {
        switch entry.step {
        case .outcome(let outcome):
            self.init(
                outcome.problem == nil ? .status(.sent) : .problem,
                at: entry.at,
                text: outcome.problem ?? "",
                channel: outcome.channel,
                device: outcome.subscription.flatMap(device)
            )
        case .note(.fallback(let channel, let reason)):
            self.init(.fallback, at: entry.at, text: reason, channel: channel, device: nil)
        case .note(.sent(let channel)):
            self.init(.status(.sent), at: entry.at, text: "", channel: channel, device: nil)
        case .note(.unknown(let channel, let reason)):
            self.init(.unknown, at: entry.at, text: reason, channel: channel, device: nil)
        case .note(.refused(let channel, let reason)):
            self.init(.problem, at: entry.at, text: reason, channel: channel, device: nil)
        case .status(let status, let channel):
            self.init(.status(status), at: entry.at, text: "", channel: channel, device: nil)
        }
    }
}

/// A delivery as far as a timeline tells of it.
package struct DeliveryHistory: Sendable {
    /// Whom it was for, in the bank's own spelling.
    package let recipient: RecipientID
    /// How far it is.
    package let status: DeliveryStatus
    /// When the normal steps happened.
    package let moments: DeliveryState.Moments
    /// The channel that took it last.
    package let channel: String?
    /// The device that took it first.
    package let device: String?
    /// When a text message takes over; `nil` where none will.
    package let fallback: DueTime?

    /// Describes a delivery.
    package init(
        recipient: RecipientID,
        status: DeliveryStatus,
        moments: DeliveryState.Moments,
        channel: String?,
        device: String?,
        fallback: DueTime?
    ) {
        self.recipient = recipient
        self.status = status
        self.moments = moments
        self.channel = channel
        self.device = device
        self.fallback = fallback
    }
}

/// A receipt as a timeline tells of it.
package struct ToldReceipt: Sendable, Equatable {
    /// What happened.
    package let event: Receipt.Event
    /// When it was told.
    package let at: WallTime
    /// The button that was pressed.
    package let button: String?
    /// The device's id within its app; `nil` where its subscription is gone.
    package let device: String?

    /// Describes a receipt.
    package init(_ event: Receipt.Event, at: WallTime, button: String?, device: String?) {
        self.event = event
        self.at = at
        self.button = button
        self.device = device
    }
}

extension DeliveryStatus {
    /// Its name in a timeline.
    var step: String { rawValue.lowercased() }
}
