// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import RuleTesting
import Testing

@Suite("Rules: what became of a delivery, over all its states")
struct SettlingRuleTests {
    /// Every state with every settlement that changes something.
    private func forEach(_ body: (DeliveryState, Settlement, DeliveryChange) -> Void) {
        for state in DeliveryStates.all {
            for settlement in DeliveryStates.settlements {
                guard settlement.isPossible(for: state),
                    let change = DeliveryRule.settle(state, settlement)
                else { continue }
                body(state, settlement, change)
            }
        }
    }

    @Test("A status never goes back, and no verdict of ours replaces another")
    func order() {
        let all: [DeliveryStatus] = [
            .queued, .invalidSubscription, .sendingFailed, .expired, .sent, .delivered, .read,
        ]
        // A row a status that is, a column one that is said.
        let table = """
            Q I F E S D R
            I I I I S D R
            F F F F S D R
            E E E E S D R
            S S S S S D R
            D D D D D D R
            R R R R R R R
            """
        let letters: [DeliveryStatus: Character] = [
            .queued: "Q", .invalidSubscription: "I", .sendingFailed: "F", .expired: "E", .sent: "S", .delivered: "D",
            .read: "R",
        ]
        for (row, status) in zip(table.split(separator: "\n"), all) {
            let told = all.map { letters[status.raised(to: $0)] ?? "?" }
            #expect(String(told.map { "\($0)" }.joined(separator: " ")) == row)
        }
    }

    @Test("A delivery stays possible, its status goes up only, and its moments stay as they were")
    func monotone() {
        forEach { state, settlement, change in
            let row = change.row
            #expect(row.isPossible, "\(state) \(settlement)")
            #expect(row.status.rank >= state.status.rank || change.deadLettering != nil, "\(state) \(settlement)")
            #expect(state.status.isOnPhone ? row.status.rank >= state.status.rank : true)
            #expect(state.moments.sent == nil || row.moments.sent == state.moments.sent)
            #expect(state.moments.delivered == nil || row.moments.delivered == state.moments.delivered)
            #expect(state.moments.read == nil || row.moments.read == state.moments.read)
            #expect(row.attempts >= state.attempts)
            #expect(state.device == nil || row.device == state.device)
            #expect(row.sms.at == state.sms.at)
        }
    }

    @Test("What is open is closed unless it goes on later; what is closed never opens")
    func closing() {
        forEach { state, settlement, change in
            #expect(change.holds == state.isOpen)
            let goesOn = state.isOpen && settlement.nextAttempt != nil && change.deadLettering == nil
            let isRefused = settlement.sms == .failed && !settlement.notes.isEmpty
            #expect(change.row.isOpen == (goesOn && !isRefused), "\(state) \(settlement)")
            if change.row.isOpen {
                #expect(change.row.due == settlement.nextAttempt)
                #expect(change.devices != .dropped)
            } else {
                #expect(change.row.sms.phone == nil)
                #expect(change.devices == (state.isOpen ? .dropped : .kept))
            }
        }
    }

    @Test("Devices are kept only with an attempt, so that a delivery without one has none")
    func devices() {
        forEach { _, settlement, change in
            guard case .adding(let devices) = change.devices else { return }
            #expect(devices == settlement.finishedDevices && !devices.isEmpty)
            #expect(change.row.mayKeepDevices)
        }
    }

    @Test("A bank hears of an end once, and of that end that it is; nobody hears of a success")
    func news() {
        forEach { state, settlement, change in
            #expect(change.news.count <= 1)
            switch change.news.first {
            case .expired: #expect(change.row.status == .expired && !change.row.isOpen)
            case .failed: #expect([.sendingFailed, .invalidSubscription].contains(change.row.status))
            case .delivered, .opened: Issue.record("\(state) \(settlement)")
            case nil:
                let isNewVerdict = change.row.status.isVerdict && !state.status.isVerdict && !change.row.isOpen
                #expect(!isNewVerdict, "\(state) \(settlement)")
            }
        }
    }

    @Test("A dead letter has no phone that got it, and a text message that failed")
    func deadLettering() {
        forEach { state, settlement, change in
            guard change.deadLettering != nil else { return }
            #expect(!state.status.isOnPhone && !settlement.status.isOnPhone)
            #expect(change.row.sms.state == .failed && change.row.status == .sendingFailed && !change.row.isOpen)
            #expect(change.news == [.failed])
        }
    }

    @Test("Settling what is over again says nothing, and what goes on the same again")
    func idempotence() {
        forEach { state, settlement, change in
            let again = DeliveryRule.settle(change.row, settlement)
            if change.row.isOpen {
                #expect(again?.row == change.row)
            } else {
                #expect(again == nil, "\(state) \(settlement)")
            }
        }
    }

    @Test("A code is erased only where the delivery is over and was read")
    func erasing() {
        forEach { _, _, change in
            if change.mayErase { #expect(!change.row.needsContent) }
            if !change.row.needsContent, change.holds { #expect(change.mayErase) }
        }
    }

    @Test("A provider's late word counts where the bus had given up, but not against a failed text message")
    func late() {
        for state in DeliveryStates.all where !state.isOpen {
            for status in DeliveryStatus.allCases {
                let change = DeliveryRule.settle(state, .sample(status))
                let isLate = status.isTaken && status.rank > state.status.rank && state.sms.state != .failed
                #expect((change != nil) == isLate)
                #expect(change?.row.status ?? state.status == (isLate ? status : state.status))
            }
        }
    }

    @Test("A gateway is asked only for an open delivery that no phone has; the others end")
    func intents() {
        for state in DeliveryStates.all where state.sms.at != nil {
            let intent = Settlement.sample(state.status, nextAttempt: DeliveryStates.due, devices: [7])
            let change = DeliveryRule.intend(state, intent)
            #expect((change == nil) == !state.isOpen)
            guard let change else { continue }
            #expect(change.holds == !state.status.isOnPhone)
            #expect(change.row.isOpen == change.holds)
            #expect(change.row.isPossible)
            #expect(!change.holds || change.row.sms.state == .called)
            #expect(change.holds || change.row.status == state.status)
            #expect(change.news.isEmpty && change.deadLettering == nil)
        }
    }

    @Test("What nobody has in hand ends when its time is over: EXPIRED, unless somebody may have it")
    func expiry() {
        for state in DeliveryStates.all {
            guard let change = DeliveryRule.expire(state, at: .noon + 60) else {
                #expect(!state.isOpen)
                continue
            }
            #expect(!change.row.isOpen && change.row.isPossible)
            let isUntold = state.status == .queued && state.sms.state != .called
            #expect((change.row.status == .expired) == isUntold)
            #expect(change.news == (isUntold ? [.expired] : []))
            #expect(DeliveryRule.expire(change.row, at: .noon + 60) == nil)
        }
    }
}
