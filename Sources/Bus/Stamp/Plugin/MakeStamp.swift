// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// Has the build write a hash of Bus's sources into `BusStamp`, anew whenever one of them changes.
///
/// So no constant in the repository can be forgotten: a plugin that was built against other sources is refused. The
/// hash is a default argument, since those belong to a function's interface: an incremental build compiles its callers
/// anew then, which it does not do where only a body is another one.
@main
struct MakeStamp: BuildToolPlugin {
    /// Hashes the files that are named after the output; their paths count too, seen from the package's folder.
    private static let script = """
        set -eu
        cd "$1"
        output=$2
        shift 2
        hash=$(sha256sum -- "$@" | sha256sum | cut -c1-16)
        cat > "$output" <<END
        public import BusCompiler

        /// What a plugin and its host must have in common: the sources of Bus and the compiler.
        ///
        /// Each side carries a copy, with what it was compiled with, whatever library it finds at run time.
        @_alwaysEmitIntoClient
        public func busd_stamp(sources: String = "$hash") -> UnsafePointer<CChar> { busd_stamp_text(sources) }
        END
        """

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL
        let sources = try context.package.targets(named: ["Bus", "BusCompiler"])
            .compactMap { $0 as? any SourceModuleTarget }
            .flatMap { $0.sourceFiles.map(\.url) }
            .sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "BusInterface.swift")
        let names = sources.map { String($0.path.dropFirst(folder.path.count + 1)) }
        return [
            .buildCommand(
                displayName: "Stamping Bus's interface",
                executable: URL(filePath: "/bin/sh"),
                arguments: ["-c", Self.script, "stamp", folder.path, output.path] + names,
                inputFiles: sources,
                outputFiles: [output]
            )
        ]
    }
}
