// SPDX-License-Identifier: Apache-2.0

import Bus
import MobileApp
import TestSupport
import Testing
import YAML

struct MobileAppSettingsTests {
    private func errors(_ text: String) -> [String] {
        do throws(ConfigurationError) {
            _ = try MobileAppSettings.read(YAML.parse(text, file: "p.yaml"))
            return []
        } catch {
            return error.diagnostics.map(\.description)
        }
    }

    @Test func appsAreDeclaredToTheBus() throws {
        let settings = try MobileAppSettings.read(YAML.parse(Mobile.twoApps, file: "p.yaml"))
        let context = ModuleContext(pipeline: "p", label: "l", log: .silent, intake: RecordingIntake(.done))
        let adapter = MobileAppAdapter(settings: settings, context: context)
        #expect(
            adapter.apps == [
                AppDeclaration(id: "retail"), AppDeclaration(id: "biz", platform: .android, bundle: "com.bank.biz"),
            ]
        )
        let route = try #require(adapter.routes.first)
        #expect(route.covers("/mobile/v1/devices"))
        #expect(!route.covers("/mobile/v12"))
    }

    @Test(
        "A fault has its place",
        arguments: [
            (
                "authorization: sms_code\npath: /m\napps: [{id: a}]\ncode_text: your code",
                "4:12: error: 'code_text' must hold {code}, which stands for the code"
            ),
            (
                "authorization: nobody\npath: /m\napps: [{id: a}]",
                "1:16: error: 'authorization' must be one of none, bank, sms_code, not \"nobody\""
            ),
            ("path: /m\napps: [{id: a}]", "1:1: error: 'authorization' is missing"),
            ("authorization: none\napps: [{id: a}]", "1:1: error: 'path' is missing"),
            ("authorization: none\npath: /m\napps: []", "3:7: error: 'apps' must not be empty"),
            ("authorization: none\npath: /m\napps: [{id: a}, {id: a}]", "3:22: error: the app 'a' is declared twice"),
            (
                "authorization: none\npath: /m\napps: [{id: a, platform: ios}]",
                "3:26: error: 'platform' must be one of ANDROID, IOS, not \"ios\"; did you mean 'IOS'?"
            ),
            (
                "authorization: none\npath: m/\napps: [{id: a}]",
                "2:7: error: 'path' must begin with / and not end with it, without an empty part between"
            ),
            (
                "authorization: none\npath: /m\napps: [{id: a}]\ntrusted: {bearer: [\"\"]}",
                "4:20: error: 'bearer' must not be empty"
            ),
            (
                "authorization: none\npath: /m\napps: [{id: a}]\ntrusted: {bearer: [a b]}",
                "4:20: error: 'bearer' must be printable ASCII without blanks, or no client can send it"
            ),
        ]
    )
    func faults(text: String, error: String) {
        #expect(errors(text) == ["p.yaml:" + error])
    }
}
