// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import RuleTesting
import Testing

@Suite("Rules: what phones, gateways and operators say of a delivery, over all its states")
struct TellingRuleTests {
    private static let fates: [GatewayReport.Fate] = [.delivered, .undeliverable(reason: "absent")]
    private static let now = ClockReading(wall: .noon + 70, monotonic: .after(1), due: DueTime(milliseconds: 5_000))

    @Test("A phone that has it wins over everything, and is told once", arguments: Receipt.Event.allCases)
    func receipts(event: Receipt.Event) {
        for state in DeliveryStates.all {
            let change = DeliveryRule.receive(state, event, at: .noon + 60)
            #expect(change.row.status.isOnPhone && change.row.status.rank >= state.status.rank)
            #expect(change.row.isPossible)
            #expect(event.isReading == (change.row.status == .read) || state.status == .read)
            #expect(change.news.contains(.delivered) == !state.status.isOnPhone)
            #expect(change.news.contains(.opened) == (event.isReading && state.status != .read))
            #expect(change.entries.count == (state.status.isVerdict ? 1 : 0))
            #expect(change.deadLettering == nil)
            let isNew = event.isReading ? state.status != .read : !state.status.isOnPhone
            #expect(change.reached?.status == (isNew ? (event.isReading ? .read : .delivered) : nil))
            let again = DeliveryRule.receive(change.row, event, at: .noon + 61)
            #expect(again.row == change.row && again.news.isEmpty && again.reached == nil && again.entries.isEmpty)
        }
    }

    @Test("A receipt ends what a text message waits to take over, and nothing else", arguments: Receipt.Event.allCases)
    func ending(event: Receipt.Event) {
        for state in DeliveryStates.all {
            let change = DeliveryRule.receive(state, event, at: .noon + 60)
            let waits = state.isOpen && state.sms.at != nil && (state.sms.state == nil || state.sms.state == .due)
            #expect(DeliveryRule.result(of: state) == (waits ? .ended : .kept))
            #expect(change.row.isOpen == (state.isOpen && !waits))
            #expect(DeliveryRule.intend(change.row, .sample(.queued))?.holds ?? false == false)
        }
    }

    @Test("The order of receipts does not matter")
    func commuting() {
        for state in DeliveryStates.all {
            let one = DeliveryRule.receive(state, .delivered, at: .noon + 60)
            let other = DeliveryRule.receive(state, .opened, at: .noon + 60)
            let both = DeliveryRule.receive(one.row, .opened, at: .noon + 60)
            let swapped = DeliveryRule.receive(other.row, .delivered, at: .noon + 60)
            #expect(both.row == swapped.row)
            #expect(one.news + both.news == other.news + swapped.news)
        }
    }

    @Test("A gateway is heard only of what it got, and a phone is never taken back")
    func reports() {
        for state in DeliveryStates.all {
            let isHeard = state.sms.state != nil && state.sms.state != .due && !state.status.isOnPhone
            #expect(DeliveryRule.knowsReports(state) == (state.sms.state != nil && state.sms.state != .due))
            for fate in Self.fates {
                let change = DeliveryRule.receive(state, fate, of: "sms", at: .noon + 60)
                guard let change else {
                    #expect(!isHeard || fate != .delivered)
                    continue
                }
                #expect(isHeard && change.row.isPossible)
                #expect(DeliveryRule.receive(change.row, fate, of: "sms", at: .noon + 61) == nil)
                #expect(change.reached == ReachedStatus(change.row.status, channel: "sms"))
                if fate == .delivered {
                    #expect(change.row.status == .delivered && change.row.sms.state == .taken)
                    #expect(change.news == [.delivered] && change.deadLettering == nil)
                } else {
                    #expect([.queued, .sent].contains(state.status) && state.sms.state != .failed)
                    #expect(change.row.status == .sendingFailed && !change.row.isOpen)
                    #expect(change.news == [.failed] && change.deadLettering?.reason == "absent")
                    let late = DeliveryRule.receive(change.row, .delivered, of: "sms", at: .noon + 62)
                    #expect(late?.row.status == .delivered)
                    #expect(late?.entries.first?.step == .status(.sendingFailed, channel: nil))
                }
            }
        }
    }

    @Test("Only a dead letter whose code lives is opened again, and it can die again")
    func replay() {
        for state in DeliveryStates.all {
            for isAlive in [true, false] {
                let expires: WallTime = isAlive ? .noon + 71 : .noon + 70
                let change = DeliveryRule.replay(state, expires: expires, now: Self.now, at: .noon + 70)
                #expect((change != nil) == (!state.isOpen && state.status == .sendingFailed && isAlive))
                guard let change else { continue }
                var row = change.row
                #expect(row.isOpen && row.due == Self.now.due && row.moments.closed == nil)
                #expect(row.sms.state == .due && row.status == (state.moments.sent == nil ? .queued : .sent))
                #expect(DeliveryRule.replay(row, expires: expires, now: Self.now, at: .noon + 70) == nil)
                row.sms.at = DeliveryStates.due
                #expect(row.isPossible)
                let again = DeliveryRule.settle(row, .sample(.sendingFailed, text: .failed, isRefused: true))
                #expect(again?.deadLettering != nil && again?.row.status == .sendingFailed)
            }
        }
    }
}
