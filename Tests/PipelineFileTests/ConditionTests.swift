// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Testing
import YAML

struct ConditionTests {
    private func read(_ text: String, _ diagnostics: inout [Diagnostic]) throws -> Condition? {
        let context = SettingsContext(variables: Variables(environment: { _ in nil }, readFile: { _ in [] }))
        return Condition.read(try YAML.parse(text, file: "f"), context: context, diagnostics: &diagnostics)
    }

    private static let pin: ConditionAttributes = {
        var attributes = ConditionAttributes()
        attributes.type = .pinCode
        attributes.platform = .ios
        attributes.app = "retail"
        attributes.priority = 7
        attributes.segments = ["vip", "old"]
        attributes.tags = [.init(key: "phone", value: "1"), .init(key: "level", value: "12")]
        return attributes
    }()

    @Test(
        "A condition holds or does not, and never for what is absent",
        arguments: [
            ("type: PIN_CODE", true, false),
            ("type: URL", false, false),
            ("type: [URL, PIN_CODE]", true, false),
            ("platform: IOS", true, false),
            ("platform: ANDROID", false, false),
            ("segment: vip", true, false),
            ("segment: [x, old]", true, false),
            ("app: retail", true, false),
            ("app: [a, b]", false, false),
            ("priority: 7", true, false),
            ("priority: \">=7\"", true, false),
            ("priority: \">7\"", false, false),
            ("priority: \"<= 7\"", true, false),
            ("priority: \"<7\"", false, false),
            ("priority: [1, \">6\"]", true, false),
            ("tag: phone", true, false),
            ("tag: [x, level]", true, false),
            ("tag: nothing", false, false),
            ("tag: { level: 12 }", true, false),
            ("tag: { level: [1, 2] }", false, false),
            ("tag: { level: \">=12\" }", true, false),
            ("tag: { level: \">12\" }", false, false),
            ("{ type: PIN_CODE, platform: ANDROID }", false, false),
            ("{ type: PIN_CODE, platform: IOS }", true, false),
            ("any: [{ type: URL }, { app: retail }]", true, false),
            ("all: [{ type: URL }, { app: retail }]", false, false),
            ("not: { type: URL }", true, true),
            ("not: { not: { app: retail } }", true, false),
        ]
    )
    func evaluates(text: String, onPIN: Bool, onNothing: Bool) throws {
        var diagnostics: [Diagnostic] = []
        let condition = try #require(try read(text, &diagnostics))
        #expect(diagnostics.isEmpty)
        #expect(condition.matches(Self.pin) == onPIN)
        #expect(condition.matches(ConditionAttributes()) == onNothing)
    }

    @Test(
        "What is wrong in a condition is said at its place",
        arguments: [
            ("PIN_CODE", "f:1:1: error: 'when' must be a map of conditions, not a single value"),
            ("{}", "f:1:1: error: 'when' must be a map of conditions, not an empty map"),
            ("any: {}", "f:1:6: error: 'any' must be a list of conditions, not a map"),
            ("all: []", "f:1:6: error: 'all' must be a list of conditions, not an empty one"),
            ("not: [1]", "f:1:6: error: 'not' must be a map of conditions, not a list"),
            ("segment: []", "f:1:10: error: 'segment' must not be an empty list, which nothing matches"),
            ("app: { a: b }", "f:1:6: error: 'app' must be a single value (string), not a map"),
            ("app:", "f:1:1: error: 'app' has no value; write one, or remove the key"),
            (
                "any:\n  - type: PINCODE",
                "f:2:11: error: 'type' must be one of UNIVERSAL, PRODUCT, FORM, SHOW_MAP, URL, PIN_CODE, MESSAGE, "
                    + "not \"PINCODE\"; did you mean 'PIN_CODE'?"
            ),
            (
                "priority: high",
                "f:1:11: error: 'priority' must be a whole number or a comparison like \">=5\", not \"high\""
            ),
            (
                "priority: \">=x\"",
                "f:1:11: error: 'priority' must be a whole number or a comparison like \">=5\", not \">=x\""
            ),
            (
                "user: ann",
                "f:1:1: error: unknown condition 'user'; known here: type, platform, segment, app, priority, tag, any, "
                    + "all, not"
            ),
            (
                "app: ${APP}",
                "f:1:6: error: 'app' needs the environment variable APP, which is not set; set it, or write ${APP:-DEFAULT}"
            ),
        ]
    )
    func reports(text: String, message: String) throws {
        var diagnostics: [Diagnostic] = []
        #expect(try read(text, &diagnostics) == nil)
        #expect(diagnostics.map(\.description) == [message])
    }
}
