// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import HTTPServer
import Threads

/// A node and its pipelines, read, bound to their modules and checked as one.
struct Configuration {
    /// The node file, or what counts without one.
    let node: NodeFile
    /// The certificate of the node's listeners; `nil` where they are plain.
    let tls: HTTPServerTLS?
    /// The pipelines; they can be built where nothing is wrong.
    let plans: [PipelinePlan]
    /// The files that were read.
    let paths: [String]
    /// Everything that was found, by place.
    let diagnostics: [Diagnostic]

    /// Binds the pipelines of some files to modules; a node that was read elsewhere takes the place of the files'.
    init(_ files: ConfigurationFiles, registry: Registry, node: NodeFile? = nil) {
        self.node = node ?? files.node
        paths = files.paths
        let context = SettingsContext()
        var found = files.diagnostics
        var registry = registry
        for plugin in self.node.plugins {
            do throws(SettingsProblem) { try PluginLoader.load(plugin.resolved, into: &registry) } catch {
                let mark = plugin.mark ?? SourceMark(file: plugin.resolved)
                found.append(.error(at: mark, "the plugin '\(plugin.written)' \(error.message)"))
            }
        }
        let certificate = self.node.tls.map {
            let now = Clock.wallMilliseconds() / 1000
            return ListenerCertificate($0, readFile: context.variables.readFile, now: now)
        }
        found += certificate?.diagnostics ?? []
        tls = certificate?.tls
        plans = files.pipelines.map { PipelinePlan($0, registry: registry, context: context) }
        // The modules of files with faults of their own are looked at all the same: everything is told in one run.
        let all = plans + files.faultyPipelines.map { PipelinePlan($0, registry: registry, context: context) }
        found += all.flatMap(\.diagnostics) + Self.conflicts(all)
        if self.node.tls?.clientCA == nil { found += Self.unverifiable(plans, isNodeKnown: files.hasNode) }
        diagnostics = found.sortedByPlace()
    }

    /// Finds paths that two adapters want.
    private static func conflicts(_ plans: [PipelinePlan]) -> [Diagnostic] {
        var found: [Diagnostic] = []
        var taken: [(path: String, mark: SourceMark)] = []
        for (path, mark) in plans.flatMap(\.paths) {
            if let other = taken.first(where: { collide($0.path, path) }) {
                let message = "the path '\(path)' collides with '\(other.path)' at \(other.mark)"
                found.append(.error(at: mark, message))
            }
            taken.append((path, mark))
        }
        return found
    }

    /// Finds adapters that ask for certificates nobody can verify; a doubt only where the node file was not looked at.
    private static func unverifiable(_ plans: [PipelinePlan], isNodeKnown: Bool) -> [Diagnostic] {
        let message = "'client_certificate' needs 'client_ca' under 'tls' in the node file: nobody could be verified"
        return plans.flatMap(\.clientCertificateMarks).map { mark in
            isNodeKnown ? .error(at: mark, message) : .warning(at: mark, message)
        }
    }

    private static func collide(_ left: String, _ right: String) -> Bool {
        left == right || left.hasPrefix(right + "/") || right.hasPrefix(left + "/")
    }
}
