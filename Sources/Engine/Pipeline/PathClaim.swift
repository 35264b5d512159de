// SPDX-License-Identifier: Apache-2.0

public import Bus

/// A path that a module of a pipeline serves.
public struct PathClaim: Sendable, Equatable {
    /// The path.
    public let path: String
    /// Where the module stands.
    public let mark: SourceMark

    /// Pairs a path with the module that serves it.
    public init(path: String, mark: SourceMark) {
        self.path = path
        self.mark = mark
    }

    /// The paths of some routes, each once.
    public static func all(of routes: [HTTPRoute], at mark: SourceMark) -> [PathClaim] {
        Set(routes.map(\.path)).sorted().map { PathClaim(path: $0, mark: mark) }
    }

    /// Why it cannot be a path; paths have one form only, so that two that are alike are equal.
    public var problem: Diagnostic? {
        HTTPRoute.problem(path: path).map { .error(at: mark, "the path '\(path)' \($0)") }
    }

    /// Finds modules of which one serves what another one serves, or something below it.
    public static func conflicts(_ claims: [PathClaim]) -> [Diagnostic] {
        var found: [Diagnostic] = []
        var taken: [Substring: PathClaim] = [:]
        var above: [Substring: PathClaim] = [:]
        for claim in claims {
            let steps = claim.steps
            let other = steps.lazy.compactMap { taken[$0] }.first ?? above[claim.path[...]]
            // The routes of one module are its own affair.
            if let other, other.mark != claim.mark {
                let message = "the path '\(claim.path)' collides with '\(other.path)' at \(other.mark)"
                found.append(.error(at: claim.mark, message))
            }
            taken[claim.path[...]] = taken[claim.path[...]] ?? claim
            for step in steps.dropLast() where above[step] == nil { above[step] = claim }
        }
        return found
    }

    /// The paths above it and itself, the shortest first.
    private var steps: [Substring] {
        path.indices.dropFirst().filter { path[$0] == "/" }.map { path[..<$0] } + [path[...]]
    }
}
