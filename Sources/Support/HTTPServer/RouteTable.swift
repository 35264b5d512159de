// SPDX-License-Identifier: Apache-2.0

import Bus

/// The routes, the longest path first: an exact one before the one that covers it.
struct RouteTable: Sendable {
    enum Result {
        case found(HTTPRoute)
        case notFound
        /// The path is the route's; the methods are those of all routes of the path.
        case notAllowed(HTTPRoute, allow: String)

        /// The route that the path belongs to.
        var route: HTTPRoute? {
            switch self {
            case .found(let route), .notAllowed(let route, _): route
            case .notFound: nil
            }
        }
    }

    private let routes: [HTTPRoute]

    init(_ routes: [HTTPRoute]) {
        self.routes = routes.sorted { first, second in
            let (left, right) = (first.path.utf8.count, second.path.utf8.count)
            return left == right ? first.match == .exact && second.match == .below : left > right
        }
    }

    /// The route for a request whose `HEAD` is already a `GET`.
    func route(method: String, path: String) -> Result {
        var allowed: [String] = []
        var owner: HTTPRoute?
        for route in routes where route.covers(path) {
            if route.methods.contains(method) { return .found(route) }
            owner = owner ?? route
            allowed += route.methods.filter { !allowed.contains($0) }
        }
        guard let owner else { return .notFound }
        if allowed.contains("GET") { allowed.append("HEAD") }
        return .notAllowed(owner, allow: allowed.joined(separator: ", "))
    }
}
