// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import WebAPI

/// The calls about notifications that a phone got.
extension MobileCalls {
    func takeReceipt(_ request: HTTPRequest) async throws(CallFailure) -> HTTPResponse {
        let caller = try authenticated(request)
        var fields = JSONFields(try request.jsonBody().get())
        let notification = fields.id("notificationId")
        let subscriber = fields.id("subscriberId")
        let event = fields.name("event", of: Receipt.Event.self, required: true)
        let button = fields.word("button")
        guard let notification, let subscriber, let event, fields.problems.isEmpty else {
            throw CallFailure(.invalid(fields.refusedFields))
        }
        let receipt = Receipt(
            notification: NotificationID(notification),
            subscriber: subscriber,
            event: event,
            button: button,
            credential: caller
        )
        return try taken(await intake.submit(.receipt(receipt)), request, missing: "no such notification")
    }

    func takeEvent(_ request: HTTPRequest) async throws(CallFailure) -> HTTPResponse {
        let caller = try authenticated(request)
        let body = try request.jsonBody().get()
        var fields = JSONFields(body)
        let subscriber = fields.id("subscriberId")
        let name = fields.id("event")
        let parameters = fields.parameters("parameters", of: body)
        guard let subscriber, let name, fields.problems.isEmpty else {
            throw CallFailure(.invalid(fields.refusedFields))
        }
        let event = AppEvent(subscriber: subscriber, name: name, parameters: parameters, credential: caller)
        return try taken(await intake.submit(.event(event)), request, missing: "no such subscriber")
    }

    func showDetails(_ id: String, _ request: HTTPRequest) async throws(CallFailure) -> HTTPResponse {
        let caller = try authenticated(request)
        guard let named = request.queryValue("subscriberId") else {
            throw CallFailure(.invalid(Refusal(field: "subscriberId", "is missing in the query")))
        }
        let subscriber = try Self.id(named, "subscriberId")
        let query = Query.details(NotificationID(id), subscriber: subscriber, credential: caller)
        switch await intake.submit(.query(query)) {
        case .details(let details):
            return HTTPResponse(
                status: 200,
                contentType: "application/json",
                headers: [("Cache-Control", "no-store")],
                body: details.json
            )
        case let reply: throw failure(reply, request, missing: "no details for this subscriber")
        }
    }

    /// The answer to what was taken note of.
    private func taken(_ reply: Reply, _ request: HTTPRequest, missing: String) throws(CallFailure) -> HTTPResponse {
        if reply == .done { return HTTPResponse(status: 202) }
        throw failure(reply, request, missing: missing)
    }
}

extension PushDetails {
    /// The details by the names of the original documentation.
    fileprivate var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.text("name", name)
        writer.text("logoUrl", logoURL)
        writer.text("pushDescription", description)
        writer.key("tags")
        writer.beginArray()
        for tag in tags {
            writer.beginObject()
            writer.text("key", tag.key)
            writer.text("value", tag.value)
            writer.endObject()
        }
        writer.endArray()
        if let amount {
            writer.key("amount")
            writer.beginObject()
            writer.text("currency", amount.currency)
            writer.key("fxAmount")
            writer.integer(amount.fxAmount)
            writer.endObject()
        }
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    /// Writes a member where there is a value.
    fileprivate mutating func text(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        self.key(key)
        string(value)
    }
}
