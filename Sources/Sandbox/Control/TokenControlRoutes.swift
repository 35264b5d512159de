// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON

/// What the sandbox answers about its access tokens for FCM over HTTP.
struct TokenControlRoutes {
    let book: AccessTokenBook

    var routes: [HTTPRoute] {
        [HTTPRoute(.exact, path: "/fcm/tokens", methods: ["GET", "PUT", "DELETE"]) { tokens($0) }]
    }

    private func tokens(_ request: HTTPRequest) -> HTTPResponse {
        switch request.method {
        case "GET":
            return .object { writer in
                writer.number("issued", Int64(book.issued))
                writer.number("lifetime", Int64(book.lifetime))
                writer.number("clockAhead", Int64(book.clockAhead))
            }
        case "DELETE":
            book.expireAll()
            return HTTPResponse(status: 204)
        default: return change(request.body)
        }
    }

    private func change(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse.change(body) { fields in
            let lifetime = fields.integer("lifetime", in: 1...86_400)
            let ahead = fields.integer("clockAhead", in: -315_360_000...315_360_000)
            return {
                if let lifetime { book.lifetime = Int(lifetime) }
                if let ahead { book.clockAhead = Int(ahead) }
            }
        }
    }
}
