// SPDX-License-Identifier: Apache-2.0

import Bus

/// The modules of this build and those of the plugins that a node file names.
struct PluginModules {
    /// All of them.
    private(set) var registry = ModuleList.registry
    /// What is wrong with the plugins or with where they are named; the rest of the node file is not looked at.
    private(set) var diagnostics: [Diagnostic] = []

    /// Reads the node file, or that of this folder where none is named and there is one; blocks.
    init(config: String?) {
        guard let path = config ?? NodeFile.pathInThisFolder else { return }
        var files = ConfigurationFiles()
        files.addNode(path)
        if files.nodeState == .unreadable { diagnostics = files.diagnostics }
        diagnostics += PluginLoader.load(files.node.plugins, into: &registry)
    }
}
