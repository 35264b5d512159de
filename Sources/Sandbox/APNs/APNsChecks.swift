// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON

/// What Apple checks of a request apart from who sends it.
///
/// Sources: Apple's "Sending notification requests to APNs" and "Handling notification responses from APNs". Where
/// Apple tolerates a mistake in silence (no push type, a payload that is no JSON), the stand-in refuses it: here
/// mistakes shall be seen.
struct APNsChecks {
    /// What a topic ends with, by push type; the others have the bare bundle id.
    private static let suffixes = [
        "alert": "", "background": "", "mdm": "", "voip": ".voip", "complication": ".complication",
        "fileprovider": ".pushkit.fileprovider", "location": ".location-query",
        "liveactivity": ".push-type.liveactivity", "pushtotalk": ".voip-ptt", "widgets": ".push-type.widgets",
        "controls": ".push-type.controls",
    ]
    private static let once = [
        "authorization", "apns-id", "apns-topic", "apns-push-type", "apns-priority", "apns-expiration",
        "apns-collapse-id",
    ]

    /// The topics that may be used; `nil` for any.
    var topics: Set<String>?

    /// Checks path, method and repetition of headers, which do not depend on the sender.
    func checkLine(_ request: PushRequest) throws(APNsReason) {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].isEmpty, parts[1] == "3", parts[2] == "device" else {
            throw request.path == "/3/device" ? .missingDeviceToken : .badPath
        }
        guard request.method == "POST" else { throw .methodNotAllowed }
        guard !parts[3].isEmpty else { throw .missingDeviceToken }
        for name in Self.once where request.headers.count(where: { $0.name == name }) > 1 { throw .duplicateHeaders }
    }

    /// Checks everything else.
    func checkMessage(_ request: PushRequest) throws(APNsReason) {
        if let id = request.header("apns-id"), !UUIDText.isCanonical(id) { throw .badMessageId }
        let type = try pushType(request)
        try checkTopic(request, type)
        try checkDelivery(request, type)
        let token = request.deviceToken
        guard token.utf8.count <= 512, let bytes = Hex.decode(token), !bytes.isEmpty else { throw .badDeviceToken }
        try checkPayload(request.body, type)
    }

    private func pushType(_ request: PushRequest) throws(APNsReason) -> String {
        guard let type = request.header("apns-push-type"), Self.suffixes[type] != nil else { throw .invalidPushType }
        return type
    }

    private func checkTopic(_ request: PushRequest, _ type: String) throws(APNsReason) {
        guard let topic = request.header("apns-topic"), !topic.isEmpty else { throw .missingTopic }
        let isWritten = topic.utf8.allSatisfy { byte in
            byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte)
                || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
        }
        guard isWritten, topic.hasSuffix(Self.suffixes[type] ?? "") else { throw .badTopic }
        guard topics?.contains(topic) ?? true else { throw .topicDisallowed }
    }

    private func checkDelivery(_ request: PushRequest, _ type: String) throws(APNsReason) {
        let priority = request.header("apns-priority") ?? "10"
        guard ["1", "5", "10"].contains(priority), type != "background" || priority == "5" else { throw .badPriority }
        if let expiration = request.header("apns-expiration") {
            guard let seconds = Int64(expiration), seconds >= 0, expiration.utf8.first != UInt8(ascii: "+") else {
                throw .badExpirationDate
            }
        }
        if let collapse = request.header("apns-collapse-id"), !(1...64).contains(collapse.utf8.count) {
            throw .badCollapseId
        }
    }

    private func checkPayload(_ body: [UInt8], _ type: String) throws(APNsReason) {
        guard !body.isEmpty else { throw .payloadEmpty }
        guard body.count <= (type == "voip" ? 5120 : 4096) else { throw .payloadTooLarge }
        guard let payload = try? JSONValue(parsing: body) else { throw .payloadEmpty }
        guard payload[type == "mdm" ? "mdm" : "aps"] != nil else { throw .payloadEmpty }
    }
}
