// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2

/// Turns deliveries into requests; keeps what it rendered last, since a notification's deliveries come together.
struct RequestWriter {
    /// What all deliveries of one notification have in common.
    private struct Letter {
        /// Held, so that no other notification can take its place in memory.
        let notification: OutgoingNotification
        let payload: Payload?
        let isUrgent: Bool
    }

    private let path: String
    private var letter: Letter?
    private var letterhead: (version: Int, headers: HTTP2HeaderList)?

    init(path: String, project: String) { self.path = "\(path)/v1/projects/\(project)/messages:send" }

    /// Forgets what was rendered last: content is not kept longer than it is needed.
    mutating func forget() { letter = nil }

    /// The request for one delivery or why there cannot be one.
    mutating func request(
        _ delivery: Delivery,
        tag: UInt64,
        token: TokenCycle.Issued,
        now: WallTime
    ) -> Result<HTTP2Request, Refusal> {
        guard case .device(let device) = delivery.address else {
            return .failure(Refusal(reason: "FCM reaches devices, not phone numbers"))
        }
        let letter = letter(for: delivery.notification)
        guard let payload = letter.payload else {
            return .failure(Refusal(reason: "the message is larger than 4096 bytes even without its text"))
        }
        return .success(
            HTTP2Request(
                tag: tag,
                path: path,
                headers: headers(token),
                body: payload.body(token: device.token, expiration: delivery.expiration, now: now),
                isUrgent: letter.isUrgent,
                mayRepeat: delivery.mayRepeat,
                deadline: delivery.deadline
            )
        )
    }

    /// Why a delivery can never be sent.
    struct Refusal: Error {
        let reason: String
    }

    private mutating func letter(for outgoing: OutgoingNotification) -> Letter {
        if let letter, letter.notification === outgoing { return letter }
        let notification = outgoing.notification
        let made = Letter(
            notification: outgoing,
            payload: Payload(notification),
            isUrgent: notification.isUrgent
        )
        letter = made
        return made
    }

    private mutating func headers(_ token: TokenCycle.Issued) -> HTTP2HeaderList {
        if let letterhead, letterhead.version == token.version { return letterhead.headers }
        let headers = HTTP2HeaderList([
            HTTP2Header("authorization", token.header),
            HTTP2Header("content-type", "application/json; charset=UTF-8"),
        ])
        letterhead = (token.version, headers)
        return headers
    }
}
