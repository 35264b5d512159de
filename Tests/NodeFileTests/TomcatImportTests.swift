// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Testing
import YAML

@testable import busd

@Suite("From an iDa PiGeon server.xml")
struct TomcatImportTests {
    private static let all: [(String, String)] = [
        ("apnsCertificatePath", "/var/cert/uni&quot;${x}\\.p12"), ("apnsPassword", "S3CRET-a"),
        ("apnsIsProduction", " True "), ("gcmAuthKey", "S3CRET-g"),
        ("dbUrl", "jdbc:postgresql://u:S3CRET-u@db.example/pigeon?password=S3CRET-q"), ("dbUsername", "test"),
        ("dbPassword", "S3CRET-d"), ("sbiOutboundWebServiceURL", "https://us:S3CRET-s@bank.example/Stub"),
        ("overrideSubscriptions", "true"), ("caseInsensitiveIds", "false"),
        ("deviceExpiredPeriodMillis", "2592000000"), ("mailHost", "S3CRET-m"),
    ]

    private func found(_ entries: [(String, String)]) throws -> TomcatImport {
        let lines = entries.map { "<Environment name=\"\($0)\" value=\"\($1)\" type=\"java.lang.String\"/>" }
        let text = "<Server><Service><Context>\(lines.joined())</Context></Service></Server>"
        return TomcatImport(try TomcatEnvironment(Array(text.utf8)))
    }

    private func read(_ found: TomcatImport) throws -> PipelineFile {
        let variables = Variables(environment: { _ in "filled" }, readFile: { _ in [] })
        return try PipelineFile.read(
            YAML.parse(found.pipeline, file: "p.yaml"),
            context: SettingsContext(variables: variables)
        )
    }

    @Test("Each key of the documentation has its place, and every secret stays where it is")
    func everything() throws {
        let found = try found(Self.all)
        #expect(found.problems.isEmpty)
        #expect(!(found.node + found.pipeline).contains("S3CRET"))
        let file = try read(found)
        #expect(file.inbound.map(\.module) == ["soap_bank", "mobile_app"])
        #expect(file.outbound.map(\.module) == ["apns", "soap_bank"])
        #expect(file.subscriptions.expireAfter == .seconds(30 * 86_400))
        #expect(found.pipeline.contains("endpoint: production"))
        #expect(found.pipeline.contains("override_subscriptions: { enabled: true }"))
        #expect(found.pipeline.contains("map_ids: { case_insensitive: false }"))
        #expect(found.pipeline.contains("password: ${APNS_PASSWORD}"))
        #expect(found.pipeline.contains("url: \"https://bank.example/Stub\""))
        #expect(found.pipeline.contains("username: \"us\", password: \"${BANK_PASSWORD}\""))
        #expect(found.pipeline.contains("Google shut down"))
        #expect(found.pipeline.contains("# Not taken over: mailHost"))
        #expect(found.node.contains("# store: \"postgresql://test:${DB_PASSWORD}@db.example/pigeon\""))
        #expect(found.node.contains("\nstore: sqlite:var/busd.db\n"))
        let node = try NodeFile.read(YAML.parse(found.node, file: "busd.yaml"), context: NodeFileTests.context)
        #expect(node.pipelines.map(\.written) == ["pipelines/pigeon.yaml"])
    }

    @Test(
        "Spans are said in their largest unit, and nothing means for ever",
        arguments: [
            ("2592000000", "30d"), ("3600000", "1h"), ("90000", "90s"), ("1500", "1s"), ("1", "1s"), ("0", nil),
            ("", nil),
        ] as [(String, String?)]
    )
    func expiry(milliseconds: String, text: String?) throws {
        let found = try found([("deviceExpiredPeriodMillis", milliseconds), ("apnsCertificatePath", "/a.p12")])
        #expect(found.problems.isEmpty)
        #expect(found.pipeline.contains("expire_after") == (text != nil))
        if let text { #expect(found.pipeline.contains("expire_after: \(text) }")) }
        _ = try read(found)
    }

    @Test(
        "What is no value is told",
        arguments: ["apnsIsProduction", "caseInsensitiveIds", "deviceExpiredPeriodMillis"]
    )
    func wrong(key: String) throws {
        #expect(try found([(key, "perhaps")]).problems.map { $0.message.contains("'\(key)'") } == [true])
    }
}
