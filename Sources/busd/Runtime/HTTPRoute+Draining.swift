// SPDX-License-Identifier: Apache-2.0

import Bus

extension HTTPRoute {
    /// The same place while the bus drains: it answers 503 with Retry-After, in the form that its callers read, before a
    /// body is read.
    var whileDraining: HTTPRoute {
        var route = self
        let refuse = self.refuse
        route.admit = { request in refuse?(.stopping, request) ?? Self.plain(.stopping) }
        return route
    }

    private static func plain(_ refusal: HTTPRefusal) -> HTTPResponse {
        var response = HTTPResponse(status: refusal.status, text: refusal.message)
        response.headers = refusal.headers
        return response
    }
}
