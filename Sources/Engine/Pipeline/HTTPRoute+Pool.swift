// SPDX-License-Identifier: Apache-2.0

public import Bus
import Threads

extension HTTPRoute {
    /// The route with its handler on Swift's pool.
    ///
    /// Handlers of short requests run on the listener's own thread, which is for those that are known to think
    /// briefly: a plugin's that blocks there would hold up every caller of the listener.
    public var onPool: HTTPRoute {
        var route = self
        let handler = handler
        route.handler = { request in
            await Pool.run { await handler(request) }
        }
        return route
    }
}
