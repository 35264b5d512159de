// SPDX-License-Identifier: Apache-2.0

internal import Bus
internal import CNGHTTP2
internal import Synchronization

/// A pool as its loop sees it: two lanes of waiting requests and the connections that take them.
///
/// Confined to the loop's thread.
final class PoolCore {
    /// Requests placed on one connection before the next is considered: enough to fill a TLS record.
    private static let run = 32

    let identifier: Int
    let plan: PoolPlan
    unowned let loop: LoopCore
    let urgent = Lane()
    let bulk = Lane()
    /// What was taken off connections in doubt, on its way to others.
    var moved: [Exchange] = []
    var connections: [ClientConnection] = []
    /// Counts the connections begun.
    var lastNumber = 0
    var backoff: Backoff
    /// Pauses between connections that are opened because others are in doubt, and when the last was.
    var replacement: Backoff
    var lastReplacement = MonotonicTime.distantPast
    /// When an answer last showed that the provider does its work.
    var lastGood = MonotonicTime.distantPast
    var patience: Patience
    /// Whether a connection is in doubt.
    var hasDoubts = false
    /// Since when there is no connection although one was tried.
    var downSince: MonotonicTime?
    var lastFailure: HTTP2Failure?
    var blocked = BlockedTime()
    /// When the next deadline may pass; never late, often early.
    var nextSweep = MonotonicTime.distantFuture
    /// When it has something to do by itself, as it stood after the last turn.
    ///
    /// Said then and not when the loop goes to sleep: what became due in between was not looked at yet.
    private(set) var wakesAt = MonotonicTime.distantPast
    /// Set by whatever may let a request move.
    var isDirty = false
    /// When a closing pool stops waiting for answers.
    var closesAt: MonotonicTime?
    /// Set when nobody can submit any more.
    var isForgotten = false
    /// Those who asked for a connection and have no answer yet.
    var probes: [@Sendable (HTTP2Failure?) -> Void] = []
    private var results: [HTTP2Result] = []
    private let packer = FieldPacker()
    private let lead: HTTP2HeaderList
    private let wantedNames: [(name: String, bytes: [UInt8], isOfErrors: Bool)]

    init(_ identifier: Int, _ plan: PoolPlan, loop: LoopCore) {
        self.identifier = identifier
        self.plan = plan
        self.loop = loop
        let configuration = plan.configuration
        backoff = Backoff(configuration.backoff)
        replacement = Backoff(configuration.replacement)
        patience = Patience(configuration.doubtAfter)
        lead = HTTP2HeaderList([
            HTTP2Header(":method", "POST"),
            HTTP2Header(":scheme", configuration.tls == nil ? "http" : "https"),
            HTTP2Header(":authority", configuration.authority),
        ])
        wantedNames =
            configuration.wantedHeaders.map { ($0, Array($0.utf8), false) }
            + configuration.wantedHeadersOfErrors.map { ($0, Array($0.utf8), true) }
    }

    var configuration: HTTP2PoolConfiguration { plan.configuration }
    var context: TLSContext? { plan.context }
    var poller: Poller { loop.poller }
    var now: MonotonicTime { loop.now }
    var waiting: Int { urgent.count + bulk.count + moved.count }

    // MARK: Requests in, results out

    func admit(_ requests: [HTTP2Request]) {
        for request in requests {
            let exchange = Exchange(request)
            nextSweep = min(nextSweep, request.deadline)
            if closesAt != nil {
                settle(exchange, .unsent(HTTP2Failure(.closed, "the pool is closed")))
            } else if request.isUrgent {
                urgent.append(exchange)
            } else {
                bulk.append(exchange)
            }
        }
        isDirty = true
    }

    /// Results for requests that were never admitted.
    func refuse(_ tags: [UInt64]) {
        let failure = HTTP2Failure(.overloaded, "the queue for \(configuration.endpoint) is full")
        results += tags.map { HTTP2Result(tag: $0, outcome: .unsent(failure)) }
        // Every delivered result gives back one place.
        plan.shared.admitted.add(tags.count, ordering: .relaxed)
        isDirty = true
    }

    func settle(_ exchange: Exchange, _ outcome: HTTP2Outcome) {
        guard !exchange.isSettled else { return }
        exchange.isSettled = true
        var outcome = outcome
        // What was sent before is not unsent, whatever hindered the next attempt.
        if case .unsent = outcome, let before = exchange.past?.outcome { outcome = before }
        results.append(HTTP2Result(tag: exchange.tag, outcome: outcome))
    }

    /// Returns a request that was surely not processed to the front of its lane.
    ///
    /// What was refused again goes behind the others: perhaps it alone is refused, and each time it is the one request
    /// that a fresh connection may carry.
    func putBack(_ exchange: Exchange, now: MonotonicTime) {
        exchange.rewind()
        isDirty = true
        let lane = exchange.isUrgent ? urgent : bulk
        if exchange.refusals > 1 { lane.append(exchange) } else { lane.putBack(exchange) }
        nextSweep = min(nextSweep, exchange.deadline)
    }

    func deliver() {
        guard !results.isEmpty else { return }
        var taken: [HTTP2Result] = []
        swap(&taken, &results)
        plan.shared.admitted.subtract(taken.count, ordering: .relaxed)
        plan.deliver(taken)
    }

    // MARK: Placing

    /// Moves what can move, then writes; called once a turn.
    func pump() {
        var rounds = 0
        repeat {
            isDirty = false
            if nextSweep <= now { sweep() }
            placeMoved()
            place(urgent)
            place(bulk)
            provideConnections()
            for connection in connections { connection.flush() }
            rounds += 1
        } while isDirty && rounds < 8
        publish()
        deliver()
        wakesAt = nextTurn
    }

    private func place(_ lane: Lane) {
        while let first = lane.first, let connection = bestConnection(for: first) {
            var placed = 0
            repeat {
                guard let next = lane.removeFirst(), connection.start(next, now: now) else { break }
                nextSweep = min(nextSweep, next.deadline)
                placed += 1
            } while placed < Self.run && lane.first.map { connection.hasRoom(for: $0, now: now) } ?? false
            plan.shared.requests.add(placed, ordering: .relaxed)
        }
    }

    /// The connection that is well and has least to do.
    ///
    /// One in doubt only where no other can be had: one that fails still answers, one that is silent may carry a
    /// single request, to see.
    func bestConnection(for exchange: Exchange) -> ClientConnection? {
        var best: ClientConnection?
        var doubted: ClientConnection?
        for connection in connections where connection.hasRoom(for: exchange, now: now) {
            if !isInDoubt(connection) {
                guard !exchange.avoids(connection, at: now) else { continue }
                if connection.exchanges.count < best?.exchanges.count ?? .max { best = connection }
            } else if connection.health.isFailing || connection.exchanges.isEmpty {
                if connection.exchanges.count < doubted?.exchanges.count ?? .max { doubted = connection }
            }
        }
        if best != nil || doubted == nil || exchange.isTired { return best ?? doubted }
        return canReplace || connections.contains(where: isHopeful) ? nil : doubted
    }

    /// Submits to nghttp2; the stream's number, or a negative code.
    func submit(_ exchange: Exchange, to session: OpaquePointer) -> Int32 {
        let request = exchange.request
        packer.reset()
        packer.append(":path", request.path, isIndexed: false)
        for header in request.ownHeaders { packer.append(header) }
        guard !packer.isOverflowing else { return NGHTTP2_ERR_INVALID_ARGUMENT.rawValue }
        let own = packer.bytes.assumingMemoryBound(to: UInt8.self)
        return busd_h2_request(
            session,
            lead.fields.baseAddress,
            lead.count,
            own,
            packer.count,
            request.headers.fields.baseAddress,
            request.headers.count,
            request.body.isEmpty ? nil : ClientSession.readBody,
            Unmanaged.passUnretained(exchange).toOpaque()
        )
    }

    /// The wanted header of this name in an answer of this status, if it is one.
    func wanted(_ name: UnsafeBufferPointer<UInt8>, status: Int) -> String? {
        let isError = !(200..<300).contains(status)
        for wanted in wantedNames where wanted.bytes.count == name.count && (isError || !wanted.isOfErrors) {
            if name.elementsEqual(wanted.bytes) { return wanted.name }
        }
        return nil
    }

    private func publish() {
        let shared = plan.shared
        shared.inFlight.store(connections.reduce(0) { $0 + $1.exchanges.count }, ordering: .relaxed)
        let open = connections.reduce(0) { $0 + ($1.phase == .open || $1.phase == .draining ? 1 : 0) }
        shared.openConnections.store(open, ordering: .relaxed)
    }
}
