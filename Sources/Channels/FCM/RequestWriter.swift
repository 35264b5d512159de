// SPDX-License-Identifier: Apache-2.0

public import Bus
public import HTTP2
public import PushService

/// Turns deliveries into requests; keeps what it rendered last, since a notification's deliveries come together.
public struct RequestWriter: PushRequestWriter {
    /// What all deliveries of one notification have in common.
    private struct Letter {
        let payload: Payload?
        let isUrgent: Bool
    }

    private let path: String
    private var letters = LatestRendering<Letter>()
    private var letterhead: (version: Int, headers: HTTP2HeaderList)?

    init(path: String, project: String) { self.path = "\(path)/v1/projects/\(project)/messages:send" }

    /// Forgets what was rendered last: content is not kept longer than it is needed.
    public mutating func forget() { letters.forget() }

    /// The request for one delivery or why there cannot be one.
    public mutating func request(
        _ delivery: Delivery,
        tag: UInt64,
        showing credential: PushCredential,
        at now: WallTime
    ) -> Result<HTTP2Request, PushRefusal> {
        guard case .device(let device) = delivery.address else {
            return .failure(PushRefusal("FCM reaches devices, not phone numbers"))
        }
        let letter = letters.of(delivery.notification) {
            Letter(payload: Payload($0), isUrgent: $0.isUrgent)
        }
        guard let payload = letter.payload else {
            return .failure(PushRefusal("the message is larger than 4096 bytes even without its text"))
        }
        return .success(
            HTTP2Request(
                tag: tag,
                path: path,
                headers: headers(credential),
                body: payload.body(token: device.token, expiration: delivery.expiration, now: now),
                isUrgent: letter.isUrgent,
                mayRepeat: delivery.mayRepeat,
                deadline: delivery.deadline
            )
        )
    }

    private mutating func headers(_ credential: PushCredential) -> HTTP2HeaderList {
        if let letterhead, letterhead.version == credential.version { return letterhead.headers }
        let headers = HTTP2HeaderList([
            HTTP2Header("authorization", credential.authorization ?? ""),
            HTTP2Header("content-type", "application/json; charset=UTF-8"),
        ])
        letterhead = (credential.version, headers)
        return headers
    }
}
