// SPDX-License-Identifier: Apache-2.0

/// The command `schema`.
enum SchemaCommand: Command {
    static let name = "schema"
    static let synopsis = ""
    static let summary = "print the JSON Schema of a pipeline file, for editors"
    static let details = """
        JSON Schema 2020-12. In Visual Studio Code, for instance: busd schema > pipeline.schema.json, and in the
        settings "yaml.schemas": { "pipeline.schema.json": "pipelines/*.yaml" }.
        """

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        try arguments.finish()
        Console.print(String(decoding: PipelineSchema(ModuleList.registry).bytes, as: UTF8.self))
        return .success
    }
}
