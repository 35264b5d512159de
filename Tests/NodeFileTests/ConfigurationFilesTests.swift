// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Foundation
import Testing

@testable import busd

struct ConfigurationFilesTests {
    private static let fine = "inbound: [{a: {}}]\noutbound: [{b: {}}]\n"

    /// Writes files into a folder that exists only for this call.
    private func withFiles(_ files: [String: String], _ body: (_ folder: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "busd-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        try body(folder.path(percentEncoded: false))
    }

    @Test func aNodeFileBringsItsPipelines() throws {
        let files = [
            "busd.yaml": "pipelines: ['p/*.yaml', p/b.yaml]",
            "p/b.yaml": "pipeline: b\n\(Self.fine)", "p/a.yaml": "pipeline: a\n\(Self.fine)",
            "p/a.test.yaml": "cases: []",
        ]
        try withFiles(files) { folder in
            var read = ConfigurationFiles()
            read.addNode("\(folder)/busd.yaml")
            read.addPipelinesOfNode()
            #expect(read.diagnostics == [])
            #expect(read.pipelines.map(\.name) == ["a", "b"])
        }
    }

    @Test func problemsOfAllFilesAreGathered() throws {
        let files = [
            "busd.yaml": "listen: 1\npipelines: []", "a.yaml": "pipeline: a\n\(Self.fine)",
            "b.yaml": "pipeline: a\n\(Self.fine)",
            "c.yaml": "pipeline: c\npipeline: d\n\(Self.fine)",
        ]
        try withFiles(files) { folder in
            var read = ConfigurationFiles()
            for name in ["c.yaml", "busd.yaml", "a.yaml", "b.yaml", "none.yaml"] { read.add("\(folder)/\(name)") }
            let printed = ConfigurationError(read.diagnostics).description.replacingOccurrences(
                of: "\(folder)/",
                with: ""
            )
            #expect(
                printed == """
                    b.yaml:1:11: error: the name 'a' is taken by the pipeline at a.yaml:1:11
                    busd.yaml:1:9: error: 'listen' must be an IP address and a port, like 127.0.0.1:8080, not "1"; \
                    did you mean "127.0.0.1:1"?
                    c.yaml:2:1: error: 'pipeline' is given twice; the first is at line 1
                    none.yaml:1:1: error: cannot be read: No such file or directory
                    """
            )
            #expect(read.pipelines.map(\.name) == ["c", "a"])
        }
    }

    @Test func aNodeFileOfCommentsOnlyIsOneOfDefaults() throws {
        let files = ["busd.yaml": "# listen: 127.0.0.1:8080\n", "blank/busd.yaml": "\n", "p.yaml": "# none\n"]
        try withFiles(files) { folder in
            var read = ConfigurationFiles()
            read.addNode("\(folder)/busd.yaml")
            #expect(read.diagnostics == [])
            #expect(read.node.retention == NodeFile.withoutFile.retention)
            for name in ["blank/busd.yaml", "p.yaml"] { read.add("\(folder)/\(name)") }
            #expect(read.diagnostics.map(\.message) == ["the file is empty", "the file is empty"])
        }
    }

    @Test func aPipelineThatIsNotThereIsReportedWhereItIsNamed() throws {
        try withFiles(["busd.yaml": "pipelines:\n  - none.yaml\n"]) { folder in
            var read = ConfigurationFiles()
            read.addNode("\(folder)/busd.yaml")
            read.addPipelinesOfNode()
            let mark = SourceMark(file: "\(folder)/busd.yaml", line: 2, column: 5)
            #expect(read.diagnostics == [.error(at: mark, "'pipelines' names none.yaml, which is not there")])
        }
    }

    @Test func aPatternThatMatchesNothingIsDoubtful() throws {
        try withFiles(["busd.yaml": "pipelines:\n  - 'p/*.yaml'\n"]) { folder in
            var read = ConfigurationFiles()
            read.addNode("\(folder)/busd.yaml")
            read.addPipelinesOfNode()
            #expect(read.diagnostics.map(\.message) == ["no file matches 'p/*.yaml'"])
            #expect(!read.diagnostics.hasErrors)
        }
    }
}
