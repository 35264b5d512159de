// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import JSON
import Threads

/// What operators see of calls that a bank did not take, and decide about them.
///
/// `GET /dead-letters?before=&limit=` (newest first), `GET /dead-letters/{id}`, `POST /dead-letters/{id}/replay`,
/// `DELETE /dead-letters/{id}`.
struct DeadLetterRoutes: Sendable {
    let office: DeadLetterOffice

    private static let listed = 100
    private static let mostListed = 1_000

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard let parts = request.segments(after: "/dead-letters") else { return notFound }
        if parts.isEmpty { return request.method == "GET" ? await list(request) : notFound }
        guard let number = Int64(parts[0]) else { return notFound }
        switch (request.method, parts.dropFirst().first) {
        case ("GET", nil): return await show(number)
        case ("DELETE", nil): return decided(number, "dropped", await office.drop(number))
        case ("POST", "replay") where parts.count == 2:
            return decided(number, "replayed", await office.replay(number))
        default: return notFound
        }
    }

    private func list(_ request: HTTPRequest) async -> HTTPResponse {
        let limit = request.queryValue("limit").flatMap { Int($0) } ?? Self.listed
        let before = request.queryValue("before").flatMap { Int64($0) }
        switch await office.list(before: before, limit: min(max(limit, 1), Self.mostListed)) {
        case .failure(let error): return failed(error)
        case .success(let letters):
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("deadLetters")
            writer.beginArray()
            for letter in letters { write(letter, to: &writer) }
            writer.endArray()
            writer.endObject()
            return json(writer)
        }
    }

    private func show(_ number: Int64) async -> HTTPResponse {
        switch await office.letter(number) {
        case .failure(let error): return failed(error)
        case .success(nil): return notFound
        case .success(let letter?):
            var writer = JSONWriter()
            write(letter, to: &writer)
            return json(writer)
        }
    }

    private func decided(_ number: Int64, _ what: String, _ result: Result<Bool, LedgerError>) -> HTTPResponse {
        switch result {
        case .failure(let error): return failed(error)
        case .success(false): return notFound
        case .success(true):
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("id")
            writer.integer(number)
            writer.key("status")
            writer.string(what)
            writer.endObject()
            return json(writer)
        }
    }

    private func write(_ letter: DeadLetter, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("id")
        writer.integer(letter.number)
        writer.key("pipeline")
        writer.string(letter.pipeline)
        writer.key("link")
        writer.string(letter.link)
        writer.key("event")
        writer.string(letter.kind.rawValue)
        writer.key("notificationId")
        writer.string(letter.notification.text)
        writer.key("userIds")
        writer.beginArray()
        for user in letter.users { writer.string(user.text) }
        writer.endArray()
        writer.key("userCount")
        writer.integer(letter.userCount)
        writer.key("at")
        writer.string(Timestamp.text(letter.at))
        writer.key("diedAt")
        writer.string(Timestamp.text(letter.died))
        writer.key("attempts")
        writer.integer(letter.attempts)
        writer.key("reason")
        writer.string(letter.reason)
        writer.endObject()
    }

    private func json(_ writer: JSONWriter) -> HTTPResponse {
        HTTPResponse(status: 200, contentType: "application/json", body: writer.bytes)
    }

    private func failed(_ error: LedgerError) -> HTTPResponse {
        HTTPResponse(status: 503, text: "the store failed: \(error)")
    }

    private var notFound: HTTPResponse {
        HTTPResponse(status: 404, text: "no such dead letter, or its time has passed")
    }
}
