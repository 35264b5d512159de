// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// A node and its pipelines, read, bound to their modules and checked as one.
struct Configuration {
    /// The node file, or what counts without one.
    let node: NodeFile
    /// The pipelines that can be built; all of them where nothing is wrong.
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
        plans = files.pipelines.compactMap {
            PipelinePlan($0, registry: registry, context: context, diagnostics: &found)
        }
        // Their modules' faults are told in the same run.
        for file in files.faultyPipelines {
            _ = PipelinePlan(file, registry: registry, context: context, diagnostics: &found)
        }
        found += Self.conflicts(plans)
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

    private static func collide(_ left: String, _ right: String) -> Bool {
        left == right || left.hasPrefix(right + "/") || right.hasPrefix(left + "/")
    }
}
