// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Synchronization
import Threads

/// Prints the steps of deliveries as they happen, and knows when those it waits for have come to their end.
final class DemoTimeline: Sendable {
    private struct State {
        var notification: NotificationID?
        var open: Set<RecipientID> = []
        var endsWhenSent = false
        var done = Gate()
    }

    private let state = Mutex(State())

    /// Waits from now on for the ends of a notification's deliveries.
    ///
    /// A code that was pushed comes to its end with the phone's receipt only: who gives that waits until it is sent.
    func expect(_ notification: NotificationID, recipients: [RecipientID], endsWhenSent: Bool) {
        state.withLock {
            $0 = State(notification: notification, open: Set(recipients), endsWhenSent: endsWhenSent)
        }
    }

    /// Takes a step.
    func add(_ event: DeliveryEvent) {
        Console.print("  \(Timestamp.text(event.at))  \(line(event))")
        let isSent = event.status == .sent
        let gate = state.withLock { state -> Gate? in
            guard state.notification == event.notification else { return nil }
            guard event.nextAttempt == nil || isSent && state.endsWhenSent else { return nil }
            state.open.remove(event.recipient)
            return state.open.isEmpty ? state.done : nil
        }
        gate?.open()
    }

    /// Waits until all ends have come.
    func isComplete(within limit: Duration) async -> Bool {
        let gate = state.withLock { $0.open.isEmpty ? nil : $0.done }
        guard let gate else { return true }
        let timer = Task {
            try? await Task.sleep(for: limit)
            gate.open()
        }
        await gate.wait()
        timer.cancel()
        return state.withLock { $0.open.isEmpty }
    }

    private func line(_ event: DeliveryEvent) -> String {
        var line = "\(event.notification) to \(event.recipient): "
        if let next = event.nextAttempt, event.channel == nil {
            line += "\(event.problem ?? "not now"); again in \(max(0, next.milliseconds(since: event.at))) ms"
        } else {
            line += event.status.rawValue
            if let channel = event.channel {
                line += " over \(channel)"
            } else if let problem = event.problem {
                line += " (\(problem))"
            }
        }
        return line
    }
}
