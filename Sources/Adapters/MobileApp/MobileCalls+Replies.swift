// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import WebAPI

extension MobileCalls {
    /// The answer to a registration; one that tells a secret is kept by no cache.
    static func state(_ state: StaticString, subscriber: String? = nil, secret: String? = nil) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("state")
        writer.string(static: state)
        if let subscriber {
            writer.key("subscriberId")
            writer.string(subscriber)
        }
        if let secret {
            writer.key("secret")
            writer.string(secret)
        }
        writer.endObject()
        return HTTPResponse(
            status: subscriber == nil ? 202 : secret == nil ? 200 : 201,
            contentType: "application/json",
            headers: [("Cache-Control", "no-store")],
            body: writer.bytes
        )
    }

    /// The answer to a call that has nothing to say.
    func done(_ reply: Reply, _ request: HTTPRequest) throws(CallFailure) -> HTTPResponse {
        if reply == .done { return HTTPResponse(status: 204) }
        throw failure(reply, request)
    }

    /// The answer to a call that did not do its work.
    func failure(_ reply: Reply, _ request: HTTPRequest, missing: String = "no such device") -> CallFailure {
        switch reply {
        case .verificationFailed: return CallFailure(.verificationFailed)
        case .tooManyTries(let seconds): return CallFailure(.tooManyTries(retryAfter: seconds))
        case .unknownClient: return CallFailure(.unknownClient)
        case .authorizationFailed: return CallFailure(.authorizationFailed)
        case .bankUnreachable: return CallFailure(.bankUnreachable)
        case .bankNotUnderstood(let reason): return CallFailure(.bankNotUnderstood(reason))
        case .gatewayUnreachable: return CallFailure(.gatewayUnreachable)
        case .unauthorized: return CallFailure(.unauthorized(presented: request.bearerToken != nil))
        case .notFound: return CallFailure(.notFound(missing))
        case .refused(let refusal): return CallFailure(.invalid(refusal))
        case .overloaded(let seconds): return CallFailure(.overloaded(retryAfter: seconds))
        case .unavailable(let what): return CallFailure(.notAvailable(what))
        case .failed(let why):
            log.error("a call of the mobile API failed", ["method": request.method, "reason": why])
            return CallFailure(.failed)
        default:
            log.error("the bus gave no answer to this call", ["method": request.method])
            return CallFailure(.failed)
        }
    }
}
