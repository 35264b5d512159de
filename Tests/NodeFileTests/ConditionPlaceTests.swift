// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Testing
import YAML

@testable import busd

/// A `when` that would turn its item off without a word is an error where it stands.
struct ConditionPlaceTests {
    private func problems(_ when: String, at place: String) throws -> [String] {
        func condition(_ here: String) -> String { place == here ? "when: \(when)" : "enabled: true" }
        let text = """
            pipeline: p
            inbound:
              - rest_bank: { path: /a, auth: { bearer: t } }
              - mobile_app: { path: /m, authorization: none, apps: [{ id: retail }, { id: corp, platform: ANDROID }] }
            stages:
              - validate:
                \(condition("validate"))
            outbound:
              - apns: { topic: a, auth: { key: { path: k, key_id: ABCDE12345, team_id: ABCDE12345 } } }
                \(condition("apns"))
              - sms_gateway: { url: "http://127.0.0.1/", username: a, password: b }
                \(condition("sms_gateway"))
            """
        let file = try PipelineFile.read(YAML.parse(text, file: "p"))
        let variables = Variables(environment: { _ in nil }, readFile: { _ in [] })
        let plan = PipelinePlan(file, registry: ModuleList.registry, context: SettingsContext(variables: variables))
        return plan.diagnostics.map(\.description).filter {
            $0.hasPrefix("p:7:") || $0.hasPrefix("p:10:") || $0.hasPrefix("p:12:")
        }
    }

    @Test(
        "Conditions that mean something pass",
        arguments: [
            ("apns", "{ platform: IOS }"), ("apns", "{ platform: [IOS, ANDROID], app: retail }"),
            ("apns", "{ not: { platform: ANDROID } }"), ("apns", "{ any: [{ type: URL }, { priority: \">=8\" }] }"),
            ("apns", "{ tag: { level: \">5\" }, not: { tag: { level: \"<3\" } } }"),
            ("sms_gateway", "{ type: PIN_CODE }"), ("sms_gateway", "{ type: [URL, PIN_CODE], priority: \">3\" }"),
            ("sms_gateway", "{ tag: vip }"), ("sms_gateway", "{ not: { type: URL } }"),
            ("validate", "{ platform: IOS }"), ("validate", "{ type: URL, priority: 5 }"),
            ("validate", "{ any: [{ type: URL }, { app: retail, platform: IOS }] }"),
        ]
    )
    func pass(place: String, when: String) throws {
        #expect(try problems(when, at: place) == [])
    }

    @Test(
        "Text messages are never turned off by the way",
        arguments: [
            ("{ type: PIN_CODE, platform: IOS }", "p:12:29: error: 'platform' never holds for a text message"),
            ("{ type: PIN_CODE, app: [retail] }", "p:12:29: error: 'app' never holds for a text message"),
            ("{ not: { platform: IOS } }", "p:12:20: error: 'platform' never holds for a text message"),
            ("{ not: { type: PIN_CODE } }", "p:12:13: error: 'when' holds for no PIN_CODE"),
            ("{ type: URL }", "p:12:19: error: 'when' holds for no PIN_CODE"),
            ("{ any: [{ type: URL }, { type: FORM }] }", "p:12:13: error: 'when' holds for no PIN_CODE"),
        ]
    )
    func phones(when: String, problem: String) throws {
        let found = try problems(when, at: "sms_gateway")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix(problem) == true, "\(found)")
        #expect(found.first?.contains("PIN codes would have no fallback") == true)
    }

    @Test(
        "What cannot hold is told with the near name and at the smallest part",
        arguments: [
            (
                "apns", "{ app: retial }",
                "p:10:18: error: 'app' asks for 'retial', which no 'apps' here declares; did you mean 'retail'?"
            ),
            (
                "apns", "{ not: { app: [retail, xyz] } }",
                "p:10:34: error: 'app' asks for 'xyz', which no 'apps' here declares; declared are: retail, corp"
            ),
            ("apns", "{ platform: ANDROID }", "p:10:23: error: 'platform' never holds here: apns reaches IOS"),
            ("apns", "{ type: URL, not: { platform: IOS } }", "p:10:24: error: 'when' can never hold"),
            ("apns", "{ app: corp }", "p:10:18: error: 'app' never holds here"),
            ("apns", "{ all: [{ priority: \">=8\" }, { priority: \"<3\" }] }", "p:10:13: error: 'when' can never hold"),
            ("apns", "{ all: [{ type: URL }, { platform: ANDROID }] }", "p:10:46: error: 'platform' never holds here"),
            ("apns", "{ any: [{ type: URL }, { platform: ANDROID }] }", "p:10:46: error: 'platform' never holds here"),
            ("apns", "{ tag: vip, not: { tag: [vip, x] } }", "p:10:5: error: 'when' can never hold"),
            ("validate", "{ type: URL, platform: IOS }", "p:7:5: error: 'when' can never hold"),
            (
                "validate", "{ platform: ANDROID }",
                "p:7:23: error: 'platform' never holds here: the channels of this pipeline reach IOS"
            ),
        ]
    )
    func never(place: String, when: String, problem: String) throws {
        let found = try problems(when, at: place)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix(problem) == true, "\(found)")
    }
}
