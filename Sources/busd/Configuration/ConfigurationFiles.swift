// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Glibc
import YAML

/// The files that make up a bus, read as far as they can be, with all that is wrong in any of them.
struct ConfigurationFiles {
    private static let keysOfPipelines = ["pipeline", "inbound", "stages", "outbound", "subscriptions", "delivery"]

    /// What is known of the node.
    enum NodeState {
        /// No node file was read: its defaults count.
        case assumed
        /// It was read for what pipelines need of it, and not to be checked itself.
        case known
        /// It was read to be checked.
        case checked
        /// It was to be read, and cannot be: nothing is known of it.
        case unreadable
    }

    /// The node file, as far as it could be read; the defaults where none was.
    private(set) var node = NodeFile.withoutFile
    /// What is known of the node.
    private(set) var nodeState = NodeState.assumed
    /// The pipelines without faults, in the order they were named.
    private(set) var pipelines: [PipelineFile] = []
    /// The pipelines with faults, as far as they could be read: their modules are looked at all the same.
    private(set) var faultyPipelines: [PipelineFile] = []
    /// The files that were read.
    private(set) var paths: [String] = []
    /// Whether a file was named that is no node file.
    private(set) var namesPipelines = false
    /// Everything that is wrong or doubtful, in the order it was found.
    private(set) var diagnostics: [Diagnostic] = []
    private let context: SettingsContext
    private var seen: Set<String> = []
    private var names: [String: SourceMark] = [:]

    /// Begins with nothing but defaults.
    init(context: SettingsContext = SettingsContext()) { self.context = context }

    /// Reads a node file; blocks.
    mutating func addNode(_ path: String) {
        nodeState = .unreadable
        guard let root = load(path, optional: true) else { return }
        readNode(root)
    }

    /// Reads a node file for what pipelines need of it, without a word about the rest; blocks.
    mutating func learnNode(_ path: String) {
        guard nodeState == .assumed else { return }
        var ignored: [Diagnostic] = []
        guard let root = YAML.load(path, optional: true, diagnostics: &ignored) else { return }
        var reader = SettingsReader(root, context: context)
        node = NodeFile(from: &reader)
        nodeState = .known
    }

    /// Reads a pipeline file, once however often it is named; blocks.
    mutating func addPipeline(_ path: String) {
        namesPipelines = true
        guard let root = load(path) else { return }
        readPipeline(root)
    }

    /// Reads a file of either sort, told apart by its keys; blocks.
    mutating func add(_ path: String) {
        let hasUsualName = path == NodeFile.usualName || path.hasSuffix("/" + NodeFile.usualName)
        guard let root = load(path, optional: hasUsualName) else {
            namesPipelines = true
            return
        }
        let isPipeline = root.entries?.contains { Self.keysOfPipelines.contains($0.key) } ?? false
        if isPipeline {
            namesPipelines = true
            readPipeline(root)
        } else {
            readNode(root)
        }
    }

    /// Reads the pipeline files that the node file names; blocks.
    ///
    /// None where that file cannot be read: those of the defaults would be other files than the ones that are meant.
    mutating func addPipelinesOfNode() {
        guard nodeState != .unreadable else { return }
        for named in node.pipelines {
            let paths = PathPattern.paths(matching: named.resolved)
            if paths.isEmpty, let mark = named.mark {
                diagnostics.append(.warning(at: mark, "no file matches '\(named.written)'"))
            }
            for path in paths {
                if let mark = named.mark, access(path, F_OK) != 0 {
                    diagnostics.append(.error(at: mark, "'pipelines' names \(named.written), which is not there"))
                } else {
                    addPipeline(path)
                }
            }
        }
    }

    private mutating func load(_ path: String, optional: Bool = false) -> ConfigurationNode? {
        guard seen.insert(Self.identity(path)).inserted else { return nil }
        paths.append(path)
        return YAML.load(path, optional: optional, diagnostics: &diagnostics)
    }

    /// The same for all paths that lead to one file.
    private static func identity(_ path: String) -> String {
        guard let complete = realpath(path, nil) else { return path }
        defer { free(complete) }
        return String(cString: complete)
    }

    /// What could be read counts, faults or not: what it names is checked too.
    private mutating func readNode(_ root: ConfigurationNode) {
        nodeState = .checked
        var reader = SettingsReader(root, context: context)
        node = NodeFile(from: &reader)
        diagnostics += reader.finish()
    }

    private mutating func readPipeline(_ root: ConfigurationNode) {
        var reader = SettingsReader(root, context: context)
        let pipeline = PipelineFile(from: &reader)
        let found = reader.finish()
        diagnostics += found
        if let taken = names[pipeline.name] {
            let message = "the name '\(pipeline.name)' is taken by the pipeline at \(taken)"
            diagnostics.append(.error(at: pipeline.nameMark, message))
            faultyPipelines.append(pipeline)
            return
        }
        if !pipeline.name.isEmpty { names[pipeline.name] = pipeline.nameMark }
        if found.hasErrors { faultyPipelines.append(pipeline) } else { pipelines.append(pipeline) }
    }
}
