// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Testing
import YAML

struct PipelineFileTests {
    static let empty = SettingsContext(
        variables: Variables(environment: { $0 == "NAME" ? "retail" : nil }, readFile: { _ in [] })
    )

    private func read(_ text: String) throws(ConfigurationError) -> PipelineFile {
        try PipelineFile.read(YAML.parse(text, file: "p.yaml"), context: Self.empty)
    }

    /// The diagnostics, each without the file's name.
    private func problems(_ text: String) -> [String] {
        do {
            _ = try read(text)
            return []
        } catch { return error.diagnostics.map { String($0.description.dropFirst("p.yaml:".count)) } }
    }

    @Test(arguments: [
        ("", "{ segment: vip }", true), ("", "{ any: [{ type: URL }, { not: { segment: [a, b] } }] }", true),
        ("", "{ type: URL }", false), ("stages: [{ segment: {} }]", "{ segment: vip }", false),
        ("stages: [{ segment: {}, enabled: false }]", "{ segment: vip }", true),
    ])
    func aSegmentNeedsAStageThatMakesIt(stages: String, condition: String, isProblem: Bool) {
        let text = """
            pipeline: p
            inbound: [{ rest_bank: { path: /x } }]
            outbound:
              - apns: {}
                when: \(condition)
            \(stages)
            """
        let problem = "5:5: error: 'when' asks for a segment, and no stage of this pipeline is 'segment'"
        #expect(problems(text) == (isProblem ? [problem] : []))
    }

    @Test func aWholeFileIsRead() throws {
        let file = try read(
            """
            x-common: &common { topic: com.bank }
            pipeline: megabank
            description: Retail push with SMS fallback for PIN codes
            inbound:
              - soap_bank: { path: /pigeon }
            stages:
              - validate: {}
              - map_ids:
                enabled: false
            outbound:
              - apns: { <<: *common, ca: x }
                name: iphones
              - sms_gateway: { url: "${URL}" }
                when: { type: PIN_CODE }
            subscriptions: { expire_after: 30d }
            delivery: { retry: { initial: 2s }, give_up_after: 1d }
            """
        )
        #expect(file.name == "megabank")
        #expect(file.description == "Retail push with SMS fallback for PIN codes")
        #expect(file.inbound.map(\.name) == ["soap_bank"])
        #expect(file.stages.map(\.module) == ["validate", "map_ids"])
        #expect(file.stages.map(\.isEnabled) == [true, false])
        #expect(file.outbound.map(\.name) == ["iphones", "sms_gateway"])
        #expect(file.outbound[0].options["topic"]?.scalar?.text == "com.bank")
        #expect(file.outbound[1].options.owner.description == "p.yaml:13:5")
        #expect(file.outbound[1].options["url"]?.scalar?.text == "${URL}")
        #expect(file.outbound[1].condition == .type([.pinCode]))
        #expect(file.subscriptions.expireAfter == .seconds(30 * 86_400))
        #expect(file.delivery.retry.initial == .seconds(2))
        #expect(file.delivery.retry.max == .seconds(300))
        #expect(file.delivery.giveUpAfter == .seconds(86_400))
    }

    @Test func defaultsAreThoseOfTheManual() throws {
        let file = try read("pipeline: a\ninbound: [{soap_bank: }]\noutbound: [{apns: {}}]\n")
        #expect(file.stages.isEmpty)
        #expect(file.subscriptions.expireAfter == nil)
        #expect(file.delivery.retry.initial == .seconds(1))
        #expect(file.delivery.giveUpAfter == .seconds(7 * 86_400))
    }

    @Test("Everything wrong is said in one run")
    func reportsAll() {
        let text = """
            pipelin: megabank
            inbound:
              - soap_bank: {}
                nmae: x
              - name: nothing
              - soap_bank: {}
                rest_bank: {}
            stages: validate
            outbound:
              - apns: {}
                when: { typ: PIN_CODE, platform: ios }
              - apns: {}
                enabled: no
            delivery: { retry: { initial: 30, max: 1 }, give_up_after: -7d }
            """
        #expect(
            problems(text) == [
                "1:1: error: unknown key 'pipelin'; did you mean 'pipeline'?",
                "4:5: error: unknown key 'nmae'; did you mean 'name'?",
                "5:3: error: an item needs a module here: one key that is its name, with its options below",
                "6:5: error: the name 'soap_bank' is taken by the item at line 3; give this one another 'name'",
                "7:5: error: 'rest_bank' is a second module in one item, which is 'soap_bank' already; begin a new item with '-'",
                "8:9: error: 'stages' must be a list, not a single value",
                "11:13: error: unknown condition 'typ'; did you mean 'type'?",
                "11:38: error: 'platform' must be one of ANDROID, IOS, not \"ios\"; did you mean 'IOS'?",
                "12:5: error: the name 'apns' is taken by the item at line 10; give this one another 'name'",
                "13:14: error: 'enabled' must be true or false, not \"no\"; did you mean false?",
                "14:31: error: 'initial' must be a duration, and \"30\" has no unit; did you mean \"30s\"?",
                "14:40: error: 'max' must be a duration, and \"1\" has no unit; did you mean \"1s\"?",
                "14:60: error: 'give_up_after' must not be negative, and is \"-7d\"",
            ]
        )
    }

    @Test func anItemThatIsNoMapIsOneError() {
        let text = "pipeline: a\ninbound: [{b: {}}]\nstages:\n  - validate\noutbound: [{c: {}}]\n"
        #expect(problems(text) == ["4:5: error: must be a map of options, not a single value"])
    }

    @Test func aDoorOfTheItemsOwnIsNotAvailable() {
        let text = "pipeline: a\ninbound:\n  - b: {}\n    listener: public\noutbound: [{c: {}}]\n"
        #expect(
            problems(text) == [
                "4:5: error: 'listener' is not available in this release: 'listen' of the node file serves all"
            ]
        )
    }

    @Test(
        "Names follow their rule",
        arguments: ["Mega", "1a", "-a", "a b", "ä", "a.b", "\"\"", "a/b"]
    )
    func refusesNames(name: String) {
        let text = "pipeline: \(name)\ninbound: [{a: }]\noutbound: [{b: }]"
        let rule = "must begin with a small letter and go on with small letters, digits, '_' and '-'"
        #expect(problems(text) == ["1:11: error: 'pipeline' \(rule)"])
    }

    @Test func aNameMayComeFromAVariable() throws {
        #expect(try read("pipeline: ${NAME}\ninbound: [{a: }]\noutbound: [{b: }]").name == "retail")
    }

    @Test func listsThatAreRequiredMustNotBeEmpty() {
        #expect(
            problems("pipeline: a\ninbound: []\noutbound:") == [
                "2:10: error: 'inbound' must not be empty",
                "3:1: error: 'outbound' must be a list, not nothing",
            ]
        )
    }
}
