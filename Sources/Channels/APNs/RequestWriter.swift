// SPDX-License-Identifier: Apache-2.0

public import Bus
import Crypto
public import HTTP2
public import PushService

/// Turns deliveries into requests; keeps what it rendered last, since a notification's deliveries come together.
public struct RequestWriter: PushRequestWriter {
    /// What all deliveries of one notification have in common.
    private struct Letter {
        let body: [UInt8]?
        let priority: String
        let collapseID: String
        let isShared: Bool
        let isUrgent: Bool
    }

    /// The headers of deliveries that differ in nothing but the device.
    private struct Envelope {
        let topic: String?
        let expiration: Int64
        let version: Int
        let shared: HTTP2HeaderList
        let own: [HTTP2Header]
    }

    /// The headers that hardly ever change, kept for the next notification.
    private struct Letterhead {
        let topic: String?
        let version: Int
        let headers: HTTP2HeaderList
    }

    private static let longestCollapseID = 64
    private static let idHeader = HTTP2Header("apns-id", "", isIndexed: false)
    private static let collapseHeader = HTTP2Header("apns-collapse-id", "", isIndexed: false)
    private static let expirationHeader = HTTP2Header("apns-expiration", "", isIndexed: false)

    private let path: String
    private let topic: String?
    private var letters = LatestRendering<Letter>()
    private var envelope: Envelope?
    private var letterheads: [String: Letterhead] = [:]

    init(path: String, topic: String?) {
        self.path = path + "/3/device/"
        self.topic = topic
    }

    /// Forgets what was rendered last: content is not kept longer than it is needed.
    public mutating func forget() {
        letters.forget()
        envelope = nil
    }

    /// The request for one delivery, or why there cannot be one.
    public mutating func request(
        _ delivery: Delivery,
        tag: UInt64,
        showing credential: PushCredential,
        at now: WallTime
    ) -> Result<HTTP2Request, PushRefusal> {
        guard case .device(let device) = delivery.address else {
            return .failure(PushRefusal("APNs reaches devices, not phone numbers"))
        }
        if !letters.isOf(delivery.notification) { envelope = nil }
        let letter = letters.of(delivery.notification, make: Self.letter)
        guard let body = letter.body else {
            return .failure(PushRefusal("the payload is larger than 4096 bytes even without its text"))
        }
        let envelope = envelope(letter, device.topic ?? topic, delivery.expiration?.seconds ?? 0, credential)
        var own = envelope.own
        own[0].value = delivery.messageID.description
        return .success(
            HTTP2Request(
                tag: tag,
                path: path + device.token,
                headers: envelope.shared,
                ownHeaders: own,
                body: body,
                isUrgent: letter.isUrgent,
                mayRepeat: delivery.mayRepeat,
                deadline: delivery.deadline
            )
        )
    }

    private static func letter(_ notification: Notification) -> Letter {
        Letter(
            body: Payload(notification).render(),
            priority: notification.priority < 5 ? "5" : "10",
            collapseID: collapseID(notification),
            isShared: notification.recipients.count != 1,
            isUrgent: notification.isUrgent
        )
    }

    private mutating func envelope(
        _ letter: Letter,
        _ topic: String?,
        _ expiration: Int64,
        _ credential: PushCredential
    ) -> Envelope {
        let version = credential.version
        if let envelope, envelope.expiration == expiration, envelope.version == version, envelope.topic == topic {
            return envelope
        }
        var collapse = Self.collapseHeader
        collapse.value = letter.collapseID
        var until = Self.expirationHeader
        until.value = String(expiration)
        let made: Envelope
        if letter.isShared {
            collapse.isIndexed = true
            until.isIndexed = true
            let shared = HTTP2HeaderList(fields(letter.priority, topic, credential) + [collapse, until])
            made = Envelope(
                topic: topic,
                expiration: expiration,
                version: version,
                shared: shared,
                own: [Self.idHeader]
            )
        } else {
            // What no other request has would only push the rest out of the connection's table.
            let shared = letterhead(letter.priority, topic, credential)
            let own = [Self.idHeader, collapse, until]
            made = Envelope(topic: topic, expiration: expiration, version: version, shared: shared, own: own)
        }
        envelope = made
        return made
    }

    private mutating func letterhead(
        _ priority: String,
        _ topic: String?,
        _ credential: PushCredential
    ) -> HTTP2HeaderList {
        let version = credential.version
        if let kept = letterheads[priority], kept.version == version, kept.topic == topic { return kept.headers }
        let headers = HTTP2HeaderList(fields(priority, topic, credential))
        letterheads[priority] = Letterhead(topic: topic, version: version, headers: headers)
        return headers
    }

    private func fields(_ priority: String, _ topic: String?, _ credential: PushCredential) -> [HTTP2Header] {
        var fields: [HTTP2Header] = []
        if let token = credential.authorization { fields.append(HTTP2Header("authorization", token)) }
        if let topic { fields.append(HTTP2Header("apns-topic", topic)) }
        fields.append(HTTP2Header("apns-push-type", "alert"))
        fields.append(HTTP2Header("apns-priority", priority))
        return fields
    }

    /// The id under which notifications replace each other; a hash where it is too long, or no text for a header.
    private static func collapseID(_ notification: Notification) -> String {
        let id = notification.collapseID.flatMap { $0.isEmpty ? nil : $0 } ?? notification.id.text
        let isPlain = id.utf8.allSatisfy { (0x20...0x7e).contains($0) } && id.utf8.first != 0x20 && id.utf8.last != 0x20
        return isPlain && id.utf8.count <= longestCollapseID ? id : SHA256.hash(id).hex
    }
}
