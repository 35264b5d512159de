// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Glibc
import HTTPServer

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
        var registry = registry
        var found = files.diagnostics + PluginLoader.load(self.node.plugins, into: &registry)
        let isChecked = node != nil || files.nodeState == .checked
        let certificate =
            isChecked ? self.node.tls.map { ListenerCertificate($0, context.variables, now: .now()) } : nil
        found += certificate?.diagnostics ?? []
        tls = certificate?.tls
        found += Self.problem(of: self.node.store).map { [$0] } ?? []
        plans = files.pipelines.map { PipelinePlan($0, registry: registry, context: context) }
        // The modules of files with faults of their own are looked at all the same: everything is told in one run.
        let all = plans + files.faultyPipelines.map { PipelinePlan($0, registry: registry, context: context) }
        found += all.flatMap(\.diagnostics) + PathClaim.conflicts(all.flatMap(\.paths))
        let doors = DoorCheck(self.node, state: isChecked ? .checked : files.nodeState)
        found += doors.diagnostics(for: all)
        diagnostics = found.sortedByPlace()
    }

    /// A store that is there and no file: whoever opened a pipe would wait for ever.
    private static func problem(of store: StoreLocation) -> Diagnostic? {
        guard case .sqlite(let path) = store, access(path.resolved, F_OK) == 0,
            let problem = SmallFile.problem(of: path.resolved)
        else { return nil }
        let mark = path.mark ?? SourceMark(file: path.written)
        return .error(at: mark, "'store' \(path.written) cannot be used: \(problem)")
    }
}
