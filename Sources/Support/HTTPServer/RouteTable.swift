// SPDX-License-Identifier: Apache-2.0

import Bus

/// A route, as many requests hold it at once: copying one costs a retain for each of its closures.
final class ServedRoute: Sendable {
    let route: HTTPRoute

    init(_ route: HTTPRoute) { self.route = route }
}

/// The routes, the longest path first: an exact one before the one that covers it.
final class RouteTable: Sendable {
    enum Result {
        case found(ServedRoute)
        case notFound
        /// The path is the route's; the methods are those of all routes of the path.
        case notAllowed(ServedRoute, allow: String)

        /// The route that the path belongs to.
        var route: ServedRoute? {
            switch self {
            case .found(let route), .notAllowed(let route, _): route
            case .notFound: nil
            }
        }
    }

    private let routes: [ServedRoute]

    init(_ routes: [HTTPRoute]) {
        let sorted = routes.sorted { first, second in
            let (left, right) = (first.path.utf8.count, second.path.utf8.count)
            return left == right ? first.match == .exact && second.match == .below : left > right
        }
        self.routes = sorted.map(ServedRoute.init)
    }

    /// The route for a request whose `HEAD` is already a `GET`.
    func route(method: String, path: String) -> Result {
        var allowed: [String] = []
        var owner: ServedRoute?
        for served in routes where served.route.covers(path) {
            if served.route.methods.contains(method) { return .found(served) }
            owner = owner ?? served
            allowed += served.route.methods.filter { !allowed.contains($0) }
        }
        guard let owner else { return .notFound }
        if allowed.contains("GET") { allowed.append("HEAD") }
        return .notAllowed(owner, allow: allowed.joined(separator: ", "))
    }
}
