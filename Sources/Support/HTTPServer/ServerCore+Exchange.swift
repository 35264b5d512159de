// SPDX-License-Identifier: Apache-2.0

import Bus
import CMicroHTTPD
import Synchronization

/// The way of one request, step by step. `false` makes libmicrohttpd close the connection.
extension ServerCore {
    /// Bytes of a body whose handler may run on libmicrohttpd's thread: what is longer may be long work, and all
    /// other connections would wait for it.
    private static let shortBody = 16 << 10

    /// libmicrohttpd calls with the headers complete, with each part of the body, and with an empty part at its end.
    func advance(
        _ exchange: Exchange,
        _ connection: OpaquePointer,
        method: UnsafePointer<CChar>,
        part: UnsafeRawBufferPointer
    ) -> Bool {
        switch exchange.phase {
        case .begun: return open(exchange, connection, method: method)
        case .receiving: return part.isEmpty ? run(exchange, connection) : keep(part, exchange)
        case .discarding:
            guard part.isEmpty else { return discard(part.count, exchange) }
            return queue(exchange.refusal ?? exchange.response(to: .stopping), exchange, connection)
        case .running:
            return work(exchange, connection)
        case .answered: return false
        }
    }

    private func open(_ exchange: Exchange, _ connection: OpaquePointer, method: UnsafePointer<CChar>) -> Bool {
        // Fail closed: where nothing looked at the bytes, nobody knows where this request ends.
        guard Connection.of(connection)?.isScanned == true else { return false }
        let request = RequestHead.read(target: exchange.target, method: method, connection: connection)
        let framing = BodyFraming(request.headers)
        let found = state.withLock { $0.table }.route(method: request.method, path: request.path)
        exchange.head = request
        exchange.served = found.route
        guard !framing.isAmbiguous else {
            exchange.lingers = true
            return queue(exchange.response(to: .ambiguousLength), exchange, connection)
        }
        switch found {
        case .notFound: return refuse(HTTPResponse(status: 404, text: "not found"), framing, exchange, connection)
        case .notAllowed(_, let allowed):
            let response = exchange.response(to: .methodNotAllowed(allowed: allowed))
            return refuse(response, framing, exchange, connection)
        case .found(let served):
            if let refusal = served.route.admit?(request) {
                return refuse(refusal, framing, exchange, connection, now: true)
            }
            guard framing.length <= served.route.maximumBody else {
                let response = exchange.response(to: .bodyTooLarge(limit: served.route.maximumBody))
                return refuse(response, framing, exchange, connection)
            }
            exchange.request = request
            exchange.request?.body.reserveCapacity(min(framing.length, 64 << 10))
            exchange.phase = .receiving
            return true
        }
    }

    /// Answers at once where no body follows or none was begun; else reads it first, for a client that is still
    /// writing would get a reset in place of its answer.
    private func refuse(
        _ response: HTTPResponse,
        _ framing: BodyFraming,
        _ exchange: Exchange,
        _ connection: OpaquePointer,
        now: Bool = false
    ) -> Bool {
        if framing.hasBody, now || framing.expectsContinue || framing.length > options.discardLimit {
            exchange.lingers = true
            return queue(response, exchange, connection)
        }
        exchange.refusal = response
        exchange.phase = .discarding
        return true
    }

    private func keep(_ part: UnsafeRawBufferPointer, _ exchange: Exchange) -> Bool {
        let limit = exchange.served?.route.maximumBody ?? 0
        if exchange.received + part.count > limit {
            exchange.refusal = exchange.response(to: .bodyTooLarge(limit: limit))
        } else if !reserve(part.count, for: exchange) {
            exchange.refusal = exchange.response(to: .overloaded)
        } else {
            exchange.request?.body.append(contentsOf: part)
            return count(part.count, exchange)
        }
        exchange.request = nil
        giveBack(exchange)
        exchange.phase = .discarding
        return discard(part.count, exchange)
    }

    private func discard(_ size: Int, _ exchange: Exchange) -> Bool {
        count(size, exchange) && exchange.received <= options.discardLimit
    }

    /// Counts what arrived; `false` where the client takes too long over its body.
    private func count(_ size: Int, _ exchange: Exchange) -> Bool {
        exchange.received += size
        let now = MonotonicTime.now()
        let deadline = exchange.bodyDeadline ?? now.adding(milliseconds: Int64(options.bodySeconds) * 1_000)
        exchange.bodyDeadline = deadline
        return now <= deadline
    }

    private func run(_ exchange: Exchange, _ connection: OpaquePointer) -> Bool {
        guard let handler = exchange.served?.route.handler, let request = exchange.request else { return false }
        exchange.request = nil
        exchange.phase = .running
        exchange.connection = connection
        exchange.isCounted = state.withLock { $0.begin(exchange) }
        guard exchange.isCounted else { return queue(exchange.response(to: .stopping), exchange, connection) }
        Task(executorPreference: exchange.received <= Self.shortBody ? exchange : nil) {
            let response = await handler(request)
            if response.delay > .zero { try? await Task.sleep(for: response.delay) }
            exchange.finish(.response(response))
        }
        return work(exchange, connection)
    }

    /// Gives the handler its turn.
    private func work(_ exchange: Exchange, _ connection: OpaquePointer) -> Bool {
        if let response = exchange.work() { return queue(response, exchange, connection) }
        exchange.suspend(connection)
        return true
    }

    /// Holds an answer back for its time, without a thread; `false` where it is to go at once.
    private func hold(_ response: HTTPResponse, _ exchange: Exchange, _ connection: OpaquePointer) -> Bool {
        guard exchange.phase != .running, response.delay > .zero else { return false }
        exchange.isCounted = state.withLock { $0.hold(exchange) }
        guard exchange.isCounted else { return false }
        exchange.phase = .running
        exchange.connection = connection
        // Who guesses gives way to others.
        Connection.of(connection)?.enter(.body, now: .now())
        Task {
            try? await Task.sleep(for: response.delay)
            exchange.finish(.response(response))
        }
        exchange.suspend(connection)
        return true
    }

    private func queue(_ response: HTTPResponse, _ exchange: Exchange, _ connection: OpaquePointer) -> Bool {
        if hold(response, exchange, connection) { return true }
        if exchange.phase == .running { exchange.abandon() }
        exchange.phase = .answered
        exchange.refusal = nil
        if exchange.lingers, let client = Connection.of(connection) { linger.begin(client) }
        let closes = state.withLock { $0.life != .running }
        return response.queue(on: connection, closing: closes || exchange.lingers)
    }
}
