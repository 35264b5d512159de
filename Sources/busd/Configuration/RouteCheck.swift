// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// Finds modules that want one path, by what they serve and not only by what their settings tell.
enum RouteCheck {
    /// Makes the modules of some pipelines, and tells what they refuse and where their paths collide.
    static func diagnostics(_ plans: [PipelinePlan]) async -> [Diagnostic] {
        var found: [Diagnostic] = []
        var claims = plans.flatMap(\.paths)
        for plan in plans {
            let made = await plan.tryOut()
            found += made.diagnostics
            claims += made.paths.filter { !claims.contains($0) }
        }
        return found + PathClaim.conflicts(claims)
    }
}
