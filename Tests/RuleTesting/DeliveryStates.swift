// SPDX-License-Identifier: Apache-2.0

package import Bus
import ClockTesting
package import Engine

/// Every state that a delivery can be in, as far as the rules tell them apart, and everything that can happen to it.
package enum DeliveryStates {
    package static let due = DueTime(milliseconds: 1_000)
    package static let texts: [SMSState?] = [nil] + SMSState.allCases

    /// All states that are possible, which ``DeliveryState/isPossible`` says.
    package static let all: [DeliveryState] = {
        var states: [DeliveryState] = []
        for status in DeliveryStatus.allCases {
            for isOpen in [true, false] {
                for text in texts {
                    for (hasText, wasSent, wasDelivered) in flags {
                        for attempts in [0, 2] {
                            let state = DeliveryState.sample(
                                status,
                                isOpen: isOpen,
                                text: text,
                                hasText: hasText,
                                wasSent: wasSent,
                                wasDelivered: wasDelivered,
                                attempts: attempts
                            )
                            if state.isPossible { states.append(state) }
                        }
                    }
                }
            }
        }
        return states
    }()

    private static let flags = [true, false].flatMap { one in
        [true, false].flatMap { two in [true, false].map { (one, two, $0) } }
    }

    /// All sorts of settlements; a device only where something took it.
    package static let settlements: [Settlement] = {
        var settlements: [Settlement] = []
        for status in DeliveryStatus.allCases {
            for nextAttempt in [nil, DueTime(milliseconds: 9_000)] {
                for text in texts {
                    for isRefused in [true, false] {
                        for devices in [[], [7, 8]] as [[Int64]] {
                            settlements.append(
                                .sample(
                                    status,
                                    nextAttempt: nextAttempt,
                                    text: text,
                                    isRefused: isRefused,
                                    devices: devices
                                )
                            )
                        }
                    }
                }
            }
        }
        return settlements
    }()
}

extension DeliveryState {
    package static func sample(
        _ status: DeliveryStatus,
        isOpen: Bool,
        text: SMSState?,
        hasText: Bool,
        wasSent: Bool,
        wasDelivered: Bool,
        attempts: Int
    ) -> DeliveryState {
        DeliveryState(
            isOpen: isOpen,
            status: status,
            attempts: attempts,
            due: DeliveryStates.due,
            parking: attempts > 0 ? 3 : 0,
            moments: Moments(
                sent: wasSent ? .noon + 1 : nil,
                delivered: wasDelivered ? .noon + 2 : nil,
                read: status == .read ? .noon + 3 : nil,
                closed: status.isVerdict ? .noon + 4 : nil
            ),
            channel: wasSent ? "fcm" : nil,
            device: wasSent ? 5 : nil,
            sms: SMS(
                at: hasText ? DeliveryStates.due : nil,
                state: text,
                phone: isOpen && (text == .due || text == nil && hasText && attempts > 0) ? "+375290000000" : nil
            )
        )
    }

    /// What holds of every delivery, whatever happened to it.
    package var isPossible: Bool {
        let onPhone = moments.delivered != nil || moments.read != nil
        let isSo =
            switch status {
            case .queued: moments == Moments(closed: moments.closed) && device == nil
            case .sent: moments.sent != nil && !onPhone
            case .delivered: moments.delivered != nil && moments.read == nil
            case .read: moments.read != nil
            case .invalidSubscription, .sendingFailed, .expired: !isOpen && !onPhone
            }
        return isSo && (isOpen || sms.phone == nil) && (sms.at != nil || sms.state == nil) && attempts >= 0
    }
}

extension Settlement {
    package static func sample(
        _ status: DeliveryStatus,
        nextAttempt: DueTime? = nil,
        text: SMSState? = nil,
        isRefused: Bool = false,
        devices: [Int64] = []
    ) -> Settlement {
        Settlement(
            delivery: 1,
            status: status,
            at: .noon + 50,
            nextAttempt: nextAttempt,
            attempts: devices.isEmpty ? 1 : 3,
            channel: status.isTaken ? "apns" : nil,
            device: status.isTaken ? 6 : nil,
            finishedDevices: nextAttempt == nil ? [] : devices,
            parking: devices.isEmpty ? nil : 0,
            outcomes: devices.map { DeviceOutcome(subscription: $0, channel: "apns", problem: "503") },
            sms: text,
            phone: nextAttempt != nil && text == .due ? "+375291111111" : nil,
            notes: isRefused ? [.refused(channel: "sms", reason: "no such number")] : [],
            isSecret: true
        )
    }

    /// Whether an engine can say so of a delivery: a text message is told of where there may be one, a verdict ends
    /// it, and what is QUEUED goes on.
    package func isPossible(for state: DeliveryState) -> Bool {
        (sms == nil || state.sms.at != nil) && (nextAttempt == nil || !status.isVerdict)
            && (nextAttempt != nil || status != .queued)
    }
}
