// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What an iDa PiGeon installation was told in `server.xml`, as a node file and a pipeline.
struct TomcatImport {
    /// A key whose value cannot be what it says.
    struct Problem: Error, Equatable {
        let message: String
    }

    private static let known = [
        "apnsCertificatePath", "apnsPassword", "apnsIsProduction", "gcmAuthKey", "dbUrl", "dbUsername", "dbPassword",
        "sbiOutboundWebServiceURL", "overrideSubscriptions", "caseInsensitiveIds", "deviceExpiredPeriodMillis",
    ]

    private let values: [String: String]
    private(set) var problems: [Problem] = []
    private var isProduction = true
    private var overridesSubscriptions = false
    private var ignoresCase = false
    private var expiry: String?

    /// Takes over what is known.
    init(_ environment: TomcatEnvironment) {
        values = environment.values.mapValues { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        isProduction = flag("apnsIsProduction", default: false)
        overridesSubscriptions = flag("overrideSubscriptions", default: false)
        ignoresCase = flag("caseInsensitiveIds", default: false)
        expiry = readExpiry()
    }

    private func given(_ key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }

    private mutating func flag(_ key: String, default usual: Bool) -> Bool {
        guard let text = given(key) else { return usual }
        switch text.lowercased() {
        case "true": return true
        case "false": return false
        default:
            problems.append(Problem(message: "'\(key)' must be true or false"))
            return usual
        }
    }

    private mutating func readExpiry() -> String? {
        guard let text = given("deviceExpiredPeriodMillis") else { return nil }
        guard let milliseconds = Int64(text), milliseconds >= 0 else {
            problems.append(Problem(message: "'deviceExpiredPeriodMillis' must be a whole number of milliseconds"))
            return nil
        }
        // Nothing shorter than a second counts in a pipeline file; 0 was "never".
        guard milliseconds > 0 else { return nil }
        for (unit, length) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000)] as [(String, Int64)]
        where milliseconds % length == 0 {
            return "\(milliseconds / length)\(unit)"
        }
        return "\(max(1, milliseconds / 1_000))s"
    }

    // MARK: The files

    /// The node file.
    var node: String {
        var lines = ["# From an iDa PiGeon server.xml, by 'busd import-tomcat'."]
        if let url = given("dbUrl") {
            lines += [
                "# The database there was \(Self.comment(Self.location(url))); PostgreSQL is not available in this release.",
                "# When it is, with its password in the environment variable DB_PASSWORD:",
                "# store: \"\(Self.comment(Self.store(url, user: given("dbUsername"))))\"",
            ]
        }
        lines += ["store: sqlite:var/busd.db", "pipelines: [pipelines/pigeon.yaml]"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The pipeline.
    var pipeline: String {
        var lines = ["# From an iDa PiGeon server.xml, by 'busd import-tomcat'."]
        let others = values.keys.filter { !Self.known.contains($0) }.sorted()
        if !others.isEmpty { lines.append("# Not taken over: \(Self.comment(others.joined(separator: ", ")))") }
        lines += ["pipeline: pigeon", "description: What iDa PiGeon did", "", "inbound:"]
        lines += ["  - soap_bank: { path: /pigeon/services/SBIInboundWebService }"]
        let asksBank = given("sbiOutboundWebServiceURL") != nil
        lines += [
            "  - mobile_app:",
            "      path: /mobile/v1",
            "      authorization: \(asksBank ? "bank" : "none")",
            "      apps: [{ id: app }]   # the ids that your apps register with",
            "", "stages:", "  - validate: {}",
            "  - map_ids: { case_insensitive: \(ignoresCase) }",
            "  - override_subscriptions: { enabled: \(overridesSubscriptions) }",
            "", "outbound:",
        ]
        lines += apns + fcm
        if let url = given("sbiOutboundWebServiceURL") { lines += bank(url) }
        if let expiry { lines += ["", "subscriptions: { expire_after: \(expiry) }"] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The bank's service; an account in its URL is told apart from it.
    private func bank(_ url: String) -> [String] {
        guard let scheme = url.range(of: "://"), let end = url[scheme.upperBound...].firstIndex(of: "@"),
            !url[scheme.upperBound..<end].contains("/")
        else { return ["  - soap_bank: { url: \(Self.quoted(url)) }"] }
        let user = url[scheme.upperBound..<end].split(separator: ":", omittingEmptySubsequences: false).first ?? ""
        let place = url[..<scheme.upperBound] + url[url.index(after: end)...]
        return [
            "  - soap_bank:", "      url: \(Self.quoted(String(place)))",
            "      # Its password is to be in the environment variable BANK_PASSWORD.",
            "      auth: { basic: { username: \(Self.quoted(String(user))), password: \"${BANK_PASSWORD}\" } }",
        ]
    }

    private var apns: [String] {
        guard let path = given("apnsCertificatePath") else {
            return ["  # There was no apnsCertificatePath, so nothing goes to iPhones: see 'busd modules apns'."]
        }
        var lines = ["  - apns:", "      endpoint: \(isProduction ? "production" : "sandbox")"]
        let hasPassword = given("apnsPassword") != nil
        if hasPassword {
            lines.append("      # apnsPassword is to be in the environment variable APNS_PASSWORD.")
        }
        lines += ["      auth:", "        certificate:", "          path: \(Self.quoted(path))"]
        if hasPassword { lines.append("          password: ${APNS_PASSWORD}") }
        return lines
    }

    private var fcm: [String] {
        guard given("gcmAuthKey") != nil else { return [] }
        return [
            "  # gcmAuthKey works no more: Google shut down GCM in 2019 and server keys in July 2024. Pushes to Android need a",
            "  # service account's JSON file (Firebase console, project settings, service accounts):",
            "  # - fcm: { service_account: service-account.json }",
        ]
    }

    // MARK: Text

    /// What may follow a `#`: one line, and no password that a URL may hold.
    private static func comment(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }

    /// The host and database of a JDBC URL, without what follows.
    private static func location(_ url: String) -> String {
        var text = url.hasPrefix("jdbc:") ? String(url.dropFirst(5)) : url
        if let end = text.firstIndex(where: { $0 == "?" || $0 == ";" }) { text = String(text[..<end]) }
        guard let scheme = text.range(of: "://"), let at = text[scheme.upperBound...].lastIndex(of: "@") else {
            return text
        }
        return String(text[..<scheme.upperBound] + text[text.index(after: at)...])
    }

    private static func store(_ url: String, user: String?) -> String {
        let place = location(url)
        guard let scheme = place.range(of: "://") else { return place }
        let account = user.map { "\($0):${DB_PASSWORD}@" } ?? ""
        return "postgresql://\(account)\(place[scheme.upperBound...])"
    }

    /// A text in YAML, whatever is in it; what looks like a variable there is none here.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.replacing("${", with: "$${").unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case _ where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                quoted += "\\x" + String(repeating: "0", count: 2 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
