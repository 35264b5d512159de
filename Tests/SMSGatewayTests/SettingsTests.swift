// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing
import YAML

@testable import SMSGateway

@Suite struct SettingsTests {
    private let gateway = "url: https://sms.example/cgi-bin/sendsms\n" + account

    @Test("What is not written has the documented default")
    func defaults() throws {
        let settings = try makeSettings(gateway)
        #expect(settings.method == .get && settings.after == .seconds(30) && settings.maxParts == 10)
        #expect(settings.sender == nil && settings.rate == nil && settings.reports == nil && settings.country == nil)
        let channel = try makeChannel(gateway)
        #expect(channel.fallbackDelay == 30_000 && channel.rate == nil && channel.routes.isEmpty)
        #expect(channel.reach == .phones && SMSGateway.isForPhones && SMSGateway.paths(settings).isEmpty)
    }

    @Test("The bus learns the fallback time, the rate and the path of the reports")
    func seam() throws {
        let text = gateway + "after: 1500ms\nrate: 20\ndelivery_reports: {url: 'http://bus.example:8080/sms/dlr'}"
        let channel = try makeChannel(text)
        #expect(channel.fallbackDelay == 1_500 && channel.rate == 20)
        #expect(channel.routes.map(\.path) == ["/sms/dlr"] && channel.routes.map(\.methods) == [["GET"]])
        #expect(SMSGateway.paths(try makeSettings(text)) == ["/sms/dlr"])
    }

    @Test(
        "Senders that SMSCs take are taken",
        arguments: [
            "+74951234567", "74951234567", "900", "123456", "MegaBank", "Bank 24", "M", "Größe", "Info-Bank_1",
        ]
    )
    func senders(_ sender: String) throws {
        #expect(try makeSettings(gateway + "from: '\(sender)'").sender?.text == sender)
    }

    @Test(
        "Others are not",
        arguments: [
            "", "12", "+900", "1234567890123456", "0123456789", "MegaBankRetail", "Банк", "Bank+", "[Bank]", "---",
        ]
    )
    func notSenders(_ sender: String) {
        #expect(throws: ConfigurationError.self) { try makeSettings(gateway + "from: '\(sender)'") }
    }

    @Test(
        "What is wrong is said with its place",
        arguments: [
            ("from: MegaBankRetail", "4:7: error: 'from' must be a number such as +74951234567"),
            ("max_parts: 11", "4:12: error: 'max_parts' above 10 needs 'method: post'"),
            ("max_parts: 0", "4:12: error: 'max_parts' must be between 1 and 255"),
            ("country: UK", "4:10: error: 'country' must be one of RU"),
            ("method: put", "4:9: error: 'method' must be one of get, post"),
            ("rate: 0", "4:7: error: 'rate' must be between 1 and 100000"),
            ("delivery_reports: {}", "4:1: error: 'url' is missing"),
            ("delivery_reports: {url: 'ftp://x/y'}", "must begin with http:// or https://"),
            ("delivery_reports: {url: 'http://x/y?z=1'}", "'url' must have no query"),
            ("delivery_reports: {url: 'http://x'}", "'url' must have a path that must begin with /"),
            ("delivery_reports: {url: 'http://x/y/'}", "'url' must have a path that must begin with /"),
            ("after: 30", "did you mean \"30s\"?"), ("form: Bank", "did you mean 'from'?"),
        ]
    )
    func problems(_ option: String, _ message: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try makeSettings(gateway + option) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains(message), "\(text)")
    }

    @Test("A secret that cannot be used is not shown")
    func badPassword() {
        let text = "url: http://127.0.0.1/x\nusername: busd\npassword: \"gate\\nway\""
        let error = #expect(throws: ConfigurationError.self) { try makeSettings(text) }
        #expect(error.map { "\($0)".contains("gate") } == false)
    }

    @Test("A file of authorities that is missing or none is an error at its place")
    func authorities() throws {
        let settings = try makeSettings(gateway + "ca: ca.pem")
        for (file, problem) in [(nil, "cannot be read: gone"), ([0x20], "holds no PEM certificate")]
            as [([UInt8]?, String)]
        {
            var check = ModuleCheck(mark: SourceMark(file: "p.yaml")) { _ throws(SettingsProblem) in
                guard let file else { throw SettingsProblem("gone") }
                return file
            }
            SMSGateway.check(settings, &check)
            #expect(check.diagnostics.map { "\($0)" } == ["p.yaml:4:5: error: 'ca' ca.pem \(problem)"])
        }
        #expect(throws: (any Error).self) { try makeChannel(gateway + "ca: ca.pem") }
    }

    @Test(
        "Clear text beyond this machine is warned of",
        arguments: [
            ("http://sms.example/x", true), ("https://sms.example/x", false), ("http://127.0.0.1:13013/x", false),
            ("http://localhost/x", false),
        ]
    )
    func clearText(_ url: String, _ isWarned: Bool) throws {
        var check = ModuleCheck(mark: SourceMark(file: "p.yaml")) { _ in [] }
        SMSGateway.check(try makeSettings("url: \(url)\n" + account), &check)
        #expect(check.diagnostics.contains { $0.message.contains("clear text") } == isWarned)
    }
}
