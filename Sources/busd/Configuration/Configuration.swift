// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Glibc
import YAML

/// A node and its pipelines, read and checked as one.
struct Configuration {
    /// The node file, or what counts without one.
    let node: NodeFile
    /// The pipelines that can be built; all of them where nothing is wrong.
    let plans: [PipelinePlan]
    /// The files that were read.
    let files: [String]
    /// Everything that was found, by place.
    let diagnostics: [Diagnostic]

    /// Reads files.
    ///
    /// - Parameters:
    ///   - nodePath: the node file; `nil` where there is none.
    ///   - pipelinePaths: the pipeline files; `nil`: those that the node file names.
    static func load(nodePath: String?, pipelinePaths: [String]?, registry: Registry) -> Configuration {
        var reader = Reader(registry: registry)
        let node = nodePath.map { reader.node($0) } ?? .withoutFile
        for path in pipelinePaths ?? reader.matches(of: node) { reader.pipeline(path) }
        reader.findConflicts()
        return Configuration(
            node: node,
            plans: reader.plans,
            files: reader.files,
            diagnostics: reader.diagnostics.sortedByPlace()
        )
    }

    /// Reads the pipelines of a node that needs no reading.
    static func load(node: NodeFile, pipelinePaths: [String], registry: Registry) -> Configuration {
        var reader = Reader(registry: registry)
        for path in pipelinePaths { reader.pipeline(path) }
        reader.findConflicts()
        return Configuration(
            node: node,
            plans: reader.plans,
            files: reader.files,
            diagnostics: reader.diagnostics.sortedByPlace()
        )
    }

    /// Reads files of either kind, told apart by whether they name a pipeline.
    static func load(files: [String], registry: Registry) -> Configuration {
        var reader = Reader(registry: registry)
        var node: NodeFile?
        for path in files {
            guard let tree = reader.tree(path) else { continue }
            if tree.entries?.contains(where: { $0.key == "pipeline" || $0.key == "inbound" }) == true {
                reader.pipeline(tree)
            } else {
                let read = reader.node(tree)
                node = read
                for path in reader.matches(of: read) where !files.contains(path) { reader.pipeline(path) }
            }
        }
        reader.findConflicts()
        return Configuration(
            node: node ?? .withoutFile,
            plans: reader.plans,
            files: reader.files,
            diagnostics: reader.diagnostics.sortedByPlace()
        )
    }
}

/// Reads one file after the other and collects what is wrong.
private struct Reader {
    let registry: Registry
    let context = SettingsContext()
    var files: [String] = []
    var plans: [PipelinePlan] = []
    var diagnostics: [Diagnostic] = []

    mutating func tree(_ path: String) -> ConfigurationNode? {
        files.append(path)
        return YAML.load(path, diagnostics: &diagnostics)
    }

    mutating func node(_ path: String) -> NodeFile { tree(path).map { node($0) } ?? .withoutFile }

    mutating func node(_ tree: ConfigurationNode) -> NodeFile {
        NodeFile.read(tree, context: context, diagnostics: &diagnostics) ?? .withoutFile
    }

    mutating func pipeline(_ path: String) {
        if let tree = tree(path) { pipeline(tree) }
    }

    mutating func pipeline(_ tree: ConfigurationNode) {
        // A fault in the pipeline's own keys hides no fault in a module's: the plan is tried all the same.
        var reader = SettingsReader(tree, context: context)
        let file = PipelineFile(from: &reader)
        let found = reader.finish()
        diagnostics += found
        let plan = PipelinePlan(file, registry: registry, context: context, diagnostics: &diagnostics)
        if let plan, !found.hasErrors { plans.append(plan) }
    }

    /// The pipeline files that a node file means; a pattern that fits nothing is a doubt, a name a fault.
    mutating func matches(of node: NodeFile) -> [String] {
        var paths: [String] = []
        for pattern in node.pipelines {
            let isPattern = pattern.resolved.contains { "*?[".contains($0) }
            let found = isPattern ? Self.expand(pattern.resolved) : [pattern.resolved]
            if found.isEmpty, let mark = pattern.mark {
                diagnostics.append(.warning(at: mark, "no file matches '\(pattern.written)'"))
            }
            paths += found.filter { !paths.contains($0) && !$0.hasSuffix(".test.yaml") }
        }
        return paths
    }

    private static func expand(_ pattern: String) -> [String] {
        var result = glob_t()
        defer { globfree(&result) }
        guard glob(pattern, 0, nil, &result) == 0 else { return [] }
        return (0..<Int(result.gl_pathc)).compactMap { result.gl_pathv[$0].map { String(cString: $0) } }
    }

    /// Finds pipelines of one name and paths that two adapters want.
    mutating func findConflicts() {
        var names: [String: SourceMark] = [:]
        var taken: [(path: String, mark: SourceMark)] = []
        for plan in plans {
            if let first = names[plan.file.name] {
                let message = "the pipeline '\(plan.file.name)' is already at \(first)"
                diagnostics.append(.error(at: plan.file.nameMark, message))
            } else {
                names[plan.file.name] = plan.file.nameMark
            }
            for (path, mark) in plan.paths {
                if let other = taken.first(where: { Self.collide($0.path, path) }) {
                    let message = "the path '\(path)' collides with '\(other.path)' at \(other.mark)"
                    diagnostics.append(.error(at: mark, message))
                }
                taken.append((path, mark))
            }
        }
    }

    private static func collide(_ left: String, _ right: String) -> Bool {
        left == right || left.hasPrefix(right + "/") || right.hasPrefix(left + "/")
    }
}
