// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

/// What a store is on, which fails when told to.
protocol FaultyDisk: Sendable {
    func open(_ place: LedgerPlace) throws -> any Ledger
    /// Has the operation of this number fail, from 1.
    func fail(_ place: LedgerPlace, at operation: Int)
    /// Goes on without failures, and counts operations anew.
    func mend(_ place: LedgerPlace)
    /// How many there were since.
    func operations(_ place: LedgerPlace) -> Int
    /// Whether the store itself is what it should be.
    func isWhole(_ place: LedgerPlace) throws -> Bool
}

/// A few writes of every sort, and what a caller was told of each.
final class Workload {
    private let place: LedgerPlace
    private let disk: any FaultyDisk
    private var accepted: [NotificationID: Int64] = [:]
    private var tried: [NotificationID: [RecipientID]] = [:]
    private var settled: Set<NotificationID> = []
    private var subscribed: Set<RecipientID> = []
    private var opened: Set<NotificationID> = []
    private var used: Set<Int> = []
    private var attempted: Set<NotificationID> = []
    private var told: Set<NotificationID> = []
    private var isLargeKept = false

    /// Two chunks, made in three steps.
    private static let crowd = (0..<1_004).map { RecipientID("crowd\(10_000 + $0)") }

    private init(_ kind: LedgerKind, _ disk: any FaultyDisk) throws {
        place = try LedgerPlace(kind)
        self.disk = disk
    }

    /// Has each operation fail once, and looks at what is left.
    static func failEverywhere(_ kind: LedgerKind, _ disk: any FaultyDisk) async throws {
        let total = try await Workload(kind, disk).count()
        #expect(total > 20)
        for operation in 1...total {
            let workload = try Workload(kind, disk)
            disk.fail(workload.place, at: operation)
            try? await workload.perform()
            disk.mend(workload.place)
            try await workload.verify("operation \(operation)")
        }
    }

    private func count() async throws -> Int {
        disk.mend(place)
        try await perform()
        return disk.operations(place)
    }

    // Opening and closing are part of it: migrations and the last checkpoint may fail as well.
    private func perform() async throws {
        let ledger = try disk.open(place)
        defer { ledger.close() }
        let bank = try ledger.pipeline(named: "bank")
        let link = try ledger.declare([LinkDeclaration(label: "soap", events: [.opened])], in: bank)[0]
        for number in 0..<4 {
            let id = NotificationID("n\(number)")
            let users = (0...number * 22).map { RecipientID("user\($0)") }
            tried[id] = users
            guard let result = try? await ledger.accept(.sample(id, in: bank, to: users)) else { continue }
            let first = try firstDelivery(result)
            accepted[id] = first
            let settlements = (0..<Int64(users.count)).map {
                Settlement(delivery: first + $0, status: .sent, at: .noon, attempts: 1, channel: "apns", device: 1)
            }
            let done = await withCheckedContinuation { continuation in
                ledger.settle(settlements) { continuation.resume(returning: $0) }
            }
            if case .success = done { settled.insert(id) }
            let user = RecipientID("user\(number)")
            let new = NewSubscription.sample(user, in: bank, device: "d\(number)", token: "0\(number)")
            if (try? await ledger.subscribe(new)) != nil { subscribed.insert(user) }
            let receipt = NewReceipt(pipeline: bank, delivery: first, subscription: 1, event: .opened, at: .noon)
            if (try? await ledger.receive(receipt)) == .kept { opened.insert(id) }
            if (try? await ledger.use(key(number))) == .firstAndKept { used.insert(number) }
        }
        if (try? await ledger.accept(.sample("large", in: bank, to: Self.crowd))) != nil { isLargeKept = true }
        for room in [999, 5, 5] { _ = try? await ledger.expand(.bulk(bank), room: room) }
        for call in (try? await ledger.dueCallbacks(link, now: .noon, limit: 2).calls) ?? [] {
            attempted.insert(call.notification)
            if (try? await ledger.settle(call, .told)) != nil { told.insert(call.notification) }
        }
    }

    private func key(_ number: Int) -> HashedKey { HashedKey([UInt8(number)]) }

    /// A receipt is there with its callback or not at all; what the bank was told, it is not told again.
    private func verifyCallbacks(_ ledger: any Ledger, _ bank: PipelineNumber, _ comment: Comment) async throws {
        let link = try ledger.declare([LinkDeclaration(label: "soap", events: [.opened])], in: bank)[0]
        let waiting = try await ledger.dueCallbacks(link, now: .noon).calls.map(\.notification)
        #expect(Set(waiting).count == waiting.count, comment)
        for id in tried.keys {
            let status = try await ledger.statuses(of: id, in: bank)?.first?.status
            if opened.contains(id) { #expect(status == .read, comment) }
            if told.contains(id) { #expect(!waiting.contains(id), comment) }
            // That it was told may be written although the answer said otherwise.
            if opened.contains(id), !attempted.contains(id) { #expect(waiting.contains(id), comment) }
            if waiting.contains(id) { #expect(status == .read, comment) }
        }
    }

    /// A large one is there with all its recipients, each of them once, or not at all; returns how many wait to be sent.
    private func verifyLarge(_ ledger: any Ledger, _ bank: PipelineNumber, _ comment: Comment) async throws -> Int {
        let statuses = try await ledger.statuses(of: "large", in: bank)
        #expect(statuses != nil || !isLargeKept, comment)
        guard let statuses else { return 0 }
        #expect(statuses.map(\.recipient) == Self.crowd, comment)
        guard LedgerKind.withChunks.contains(place.kind) else { return Self.crowd.count }
        let made = try #require(try await ledger.progress(of: "large", in: bank)).made[.queued] ?? 0
        let waiting = try await ledger.expandAll(.bulk(bank))
        #expect(made + waiting == Self.crowd.count, comment)
        #expect(try await ledger.statuses(of: "large", in: bank)?.map(\.recipient) == Self.crowd, comment)
        return Self.crowd.count
    }

    private func verify(_ comment: Comment) async throws {
        let ledger = try disk.open(place)
        defer { ledger.close() }
        let bank = try ledger.pipeline(named: "bank")
        var open = 0
        for (id, users) in tried {
            let statuses = try await ledger.statuses(of: id, in: bank)
            #expect(statuses != nil || accepted[id] == nil, comment)
            guard let statuses else { continue }
            #expect(statuses.map(\.recipient) == users, comment)
            #expect(try await ledger.notification(id, in: bank) != nil, comment)
            if settled.contains(id) {
                #expect(statuses.allSatisfy { $0.status == .sent || $0.status == .read }, comment)
            }
            open += statuses.count { $0.status == .queued }
            #expect(try await ledger.accept(.sample(id, in: bank)) == .duplicate, comment)
        }
        open += try await verifyLarge(ledger, bank, comment)
        // What was read before it could be settled is open still.
        let depth = try #require(try await ledger.depth(bank)[.bulk(bank)])
        #expect((open...open + opened.subtracting(settled).count).contains(depth), comment)
        try await verifyCallbacks(ledger, bank, comment)
        for number in used { #expect(try await ledger.use(key(number)) == .again, comment) }
        let there = try await ledger.areSubscribed(Array(subscribed), in: bank)
        #expect(there.allSatisfy { $0 }, comment)
        let next = try firstDelivery(try await ledger.accept(.sample("fresh", in: bank)))
        #expect(accepted.values.allSatisfy { $0 < next }, comment)
        #expect(try disk.isWhole(place), comment)
    }
}
