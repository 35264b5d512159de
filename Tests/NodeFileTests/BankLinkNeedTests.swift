// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Testing
import YAML

@testable import busd

/// A pipeline whose registrations the bank must agree to needs a bank.
struct BankLinkNeedTests {
    private func problems(_ outbound: String) throws -> [String] {
        let text = """
            pipeline: p
            inbound:
              - mobile_app: { path: /m, authorization: bank, apps: [{ id: a }] }
            outbound:
            \(outbound)
            """
        let file = try PipelineFile.read(YAML.parse(text, file: "p.yaml"))
        let plan = PipelinePlan(file, registry: ModuleList.registry, context: SettingsContext())
        return plan.diagnostics.map(\.description).filter { !$0.contains("'auth'") && !$0.contains("'topic'") }
    }

    @Test(
        "A link that is missing or switched off is an error at 'authorization'",
        arguments: ["  - apns: {}", "  - soap_bank: { url: \"http://bank/\" }\n    enabled: false"]
    )
    func missing(outbound: String) throws {
        let found = try problems(outbound)
        #expect(found.count == 1)
        #expect(
            found.first?.hasPrefix("p.yaml:3:44: error: there is no bank to ask in this pipeline") == true,
            "\(found)"
        )
    }

    @Test("A link is enough, and one with an error has that error only")
    func present() throws {
        #expect(try problems("  - soap_bank: { url: \"http://bank/\" }").isEmpty)
        let found = try problems("  - soap_bank: { url: bank }")
        #expect(found == ["p.yaml:5:23: error: 'url' must begin with http:// or https://"])
    }

    @Test("A condition at a link is refused: the bank hears of all its notifications")
    func condition() throws {
        let found = try problems("  - soap_bank: { url: \"http://bank/\" }\n    when: { type: PIN_CODE }")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("p.yaml:6:5: error: 'when' cannot be used with a bank link") == true, "\(found)")
    }
}
