// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("What busd says of its own files", .timeLimit(.minutes(2)))
struct SchemaTests {
    /// Reads a YAML file as an editor does, holds it against the schema, and prints what is wrong.
    private static let validate = """
        import json, sys, jsonschema, yaml
        schema = json.load(open(sys.argv[1]))
        jsonschema.Draft202012Validator.check_schema(schema)
        errors = list(jsonschema.Draft202012Validator(schema).iter_errors(yaml.safe_load(open(sys.argv[2]))))
        for error in errors: print(error.json_path, error.message)
        sys.exit(len(errors) > 0)
        """

    private static let door = "inbound: [{ rest_bank: { path: /a } }]\n"

    private static func hold(_ pipeline: URL, in folder: URL) async throws -> ProgramResult {
        let schema = try await OtherProgram.run(BusProcess.program, ["schema"], in: folder)
        #expect(schema.status == 0)
        try schema.output.write(to: folder.appending(path: "schema.json"), atomically: true, encoding: .utf8)
        return try await OtherProgram.foreign("python", ["-c", validate, "schema.json", pipeline.path], in: folder)
    }

    @Test("the schema takes the pipelines that come with busd")
    func demo() async throws {
        try await withFolder { folder in
            let held = try await Self.hold(checkout.appending(path: "pipelines/demo.yaml"), in: folder)
            #expect(held.status == 0, "\(held.output)\(held.error)")
        }
    }

    @Test(
        "the schema refuses what check refuses, and takes a variable for any value",
        arguments: [
            ("inbound: [{ rest_bank: { path: /a } }]", ""),
            ("inbound: [{ rest_bank: { path: /a }, enabled: '${ON}' }]\nx-home: { a: 1 }", ""),
            ("inbound: [{ rest_bank: { path: /a, auth: { bearer: t } } }]", ""),
            (Self.door + "stages: [{ validate: null }, { map_ids: {} }]\ndelivery:", ""),
            (Self.door + "stages: [{ validate: {}, when: { type: URL, priority: '>=5', tag: { a: [1, b] } } }]", ""),
            (Self.door + "stages: [{ validate: {}, when: { any: [{ not: { app: [a, b] } }, { tag: vip }] } }]", ""),
            (Self.door + "stages: [{ validate: {}, when: { tpye: URL } }]", "'tpye'"),
            (Self.door + "stages: [{ validate: {}, when: { type: URI } }]", "when"),
            (Self.door + "stages: [{ validate: {}, when: { priority: 11 } }]", "priority"),
            (Self.door + "stages: [{ validate: {}, when: { any: [] } }]", "any"),
            (Self.door + "stages: [{ validate: {}, when: { not: { all: [{ x: 1 }] } } }]", "when"),
            (Self.door + "stages: [{ validate: {}, when: {} }]", "when"),
            ("inbound: [{ rest_bank: null }]", "rest_bank"),
            ("inbound: [{ rest_bank: { pth: /a } }]", "'pth'"),
            ("inbound: [{ rest_bank: { path: /a }, soap_bank: { path: /b } }]", "$.inbound[0]"),
            ("inbound: [{ rest_bank: { path: /a, auth: { bearer: t, client_certificate: true } } }]", "auth"),
            ("inbound: [{ apns: {} }]", "'apns'"), ("inbound: {}", "is not of type 'array'"),
            ("inbound: [{ rest_bank: { path: /a, max_body: 5 } }]", "max_body"),
            ("inbound: [{ rest_bank: { path: /a } }]\nstagse: []", "'stagse'"),
        ]
    )
    func pipelines(_ inbound: String, _ fault: String) async throws {
        try await withFolder { folder in
            let text = "pipeline: p\noutbound: [{ rest_bank: { url: http://bank, timeout: 5s } }]\n" + inbound
            let file = folder.appending(path: "p.yaml")
            try text.write(to: file, atomically: true, encoding: .utf8)
            let held = try await Self.hold(file, in: folder)
            #expect(held.status == (fault.isEmpty ? 0 : 1), "\(held.output)\(held.error)")
            #expect(fault.isEmpty || held.output.contains(fault), "\(held.output)\(held.error)")
        }
    }

    @Test("docs/modules.md is what busd says of its modules: make reference")
    func reference() async throws {
        let document = try String(contentsOf: checkout.appending(path: "docs/modules.md"), encoding: .utf8)
        try await withFolder { folder in
            let words = ["modules", "--format", "markdown"]
            let said = try await OtherProgram.run(BusProcess.program, words, in: folder)
            #expect(said.output == document)
        }
    }
}
