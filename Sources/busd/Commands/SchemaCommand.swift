// SPDX-License-Identifier: Apache-2.0

import Bus

/// The command `schema`.
enum SchemaCommand: Command {
    static let name = "schema"
    static let synopsis = "[--config busd.yaml]"
    static let summary = "print the JSON Schema of a pipeline file, for editors"
    static let details = """
        JSON Schema 2020-12. In Visual Studio Code, for instance: busd schema > pipeline.schema.json, and in the
        settings "yaml.schemas": { "pipeline.schema.json": "pipelines/*.yaml" }. The modules of the plugins that the
        node file names are in it; without --config, that of this folder where there is one.
        """

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        let config = try arguments.option("--config")
        try arguments.finish()
        let modules = PluginModules(config: config)
        DiagnosticList(modules.diagnostics).print()
        if modules.diagnostics.hasErrors { return .failure }
        Console.print(String(decoding: PipelineSchema(modules.registry).bytes, as: UTF8.self))
        return .success
    }
}
