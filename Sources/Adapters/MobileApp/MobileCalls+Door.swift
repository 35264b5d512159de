// SPDX-License-Identifier: Apache-2.0

import Bus
import WebAPI

/// Who calls, and who is turned away.
extension MobileCalls {
    /// The first parts of the paths that are served; what follows them may be somebody's name.
    private static let words: Set<String> = ["apps", "devices", "receipts", "events", "notifications"]

    /// Turns away, by the head of their call, who brings no secret where one is needed.
    @Sendable func refusal(_ request: HTTPRequest) -> HTTPResponse? {
        guard request.bearerToken == nil, let place = request.segments(after: path),
            needsSecret(request.method, place)
        else { return nil }
        return turnedAway(request)
    }

    private func needsSecret(_ method: String, _ place: [String]) -> Bool {
        switch (method, place.first, place.count, place.last) {
        case ("DELETE", "devices", 2, _), ("PUT", "devices", 3, "token"), ("POST", "receipts", 1, _),
            ("POST", "events", 1, _), ("GET", "notifications", 3, "details"):
            true
        default: false
        }
    }

    /// The answer to a caller who did not prove who they are: the same for a wrong secret and for a device, a subscriber
    /// or a notification that does not exist, and later with every guess from one address.
    func turnedAway(_ request: HTTPRequest) -> HTTPResponse {
        let isGiven = request.bearerToken != nil
        let word = request.segments(after: path)?.first.flatMap { Self.words.contains($0) ? "/\($0)" : nil } ?? ""
        let response = CallFailure(.unauthorized(presented: isGiven)).problem.response
        return door.refuse(request, at: path + word, because: isGiven ? .wrong : .missing, with: response)
    }

    /// What a caller shows.
    func credential(of request: HTTPRequest) -> Credential {
        guard let token = request.bearerToken else { return .none }
        return trusted.contains(token) ? .trusted : .secret(token)
    }
}
