// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import YAML

/// The files that make up a bus, read as far as they can be, with all that is wrong in any of them.
struct ConfigurationFiles {
    private static let keysOfPipelines = ["pipeline", "inbound", "stages", "outbound", "subscriptions", "delivery"]

    /// The node file; the defaults where none was read.
    private(set) var node = NodeFile.withoutFile
    /// Whether a node file was read.
    private(set) var hasNode = false
    /// The pipelines without faults, in the order they were named.
    private(set) var pipelines: [PipelineFile] = []
    /// The pipelines with faults, as far as they could be read: their modules are looked at all the same.
    private(set) var faultyPipelines: [PipelineFile] = []
    /// The files that were read.
    private(set) var paths: [String] = []
    /// Everything that is wrong or doubtful, in the order it was found.
    private(set) var diagnostics: [Diagnostic] = []
    private let context: SettingsContext
    private var seen: Set<String> = []
    private var names: [String: SourceMark] = [:]

    /// Begins with nothing but defaults.
    init(context: SettingsContext = SettingsContext()) { self.context = context }

    /// Reads a node file; blocks.
    mutating func addNode(_ path: String) {
        guard let root = load(path) else { return }
        readNode(root)
    }

    /// Reads a pipeline file, once however often it is named; blocks.
    mutating func addPipeline(_ path: String) {
        guard let root = load(path) else { return }
        readPipeline(root)
    }

    /// Reads a file of either sort, told apart by its keys; blocks.
    mutating func add(_ path: String) {
        guard let root = load(path) else { return }
        let isPipeline = root.entries?.contains { Self.keysOfPipelines.contains($0.key) } ?? false
        if isPipeline { readPipeline(root) } else { readNode(root) }
    }

    /// Reads the pipeline files that the node file names; blocks.
    mutating func addPipelinesOfNode() {
        for named in node.pipelines {
            let paths = PathPattern.paths(matching: named.resolved)
            if paths.isEmpty, let mark = named.mark {
                diagnostics.append(.warning(at: mark, "no file matches '\(named.written)'"))
            }
            for path in paths { addPipeline(path) }
        }
    }

    private mutating func load(_ path: String) -> ConfigurationNode? {
        guard seen.insert(path).inserted else { return nil }
        paths.append(path)
        return YAML.load(path, diagnostics: &diagnostics)
    }

    private mutating func readNode(_ root: ConfigurationNode) {
        hasNode = true
        node = NodeFile.read(root, context: context, diagnostics: &diagnostics) ?? node
    }

    private mutating func readPipeline(_ root: ConfigurationNode) {
        var reader = SettingsReader(root, context: context)
        let pipeline = PipelineFile(from: &reader)
        let found = reader.finish()
        diagnostics += found
        if let taken = names[pipeline.name] {
            let message = "the name '\(pipeline.name)' is taken by the pipeline at \(taken)"
            diagnostics.append(.error(at: pipeline.nameMark, message))
            return
        }
        if !pipeline.name.isEmpty { names[pipeline.name] = pipeline.nameMark }
        if found.hasErrors { faultyPipelines.append(pipeline) } else { pipelines.append(pipeline) }
    }
}
