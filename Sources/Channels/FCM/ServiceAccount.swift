// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import JSON
import PushService

/// A service account's key file, as the Firebase console makes it.
struct ServiceAccount: Sendable {
    /// Where tokens come from when the file does not say.
    private static let usualTokenURI = "https://oauth2.googleapis.com/token"

    /// What to do for those who have a key of the legacy service.
    static let serverKeyAdvice =
        "Google shut down server keys in July 2024; use a service account's JSON file (Firebase console, project "
        + "settings, service accounts)"

    /// The Firebase project.
    let project: String
    /// The account's name.
    let email: String
    /// The key's name, where the file tells it.
    let keyID: String?
    /// Where access tokens are asked for.
    let tokenURI: String
    /// What signs the request for one.
    let key: SigningKey
    /// Whether the key's line ends are written as `\n` twice over, as many a secret store does.
    let hasEscapedLines: Bool

    /// The file cannot be used; each problem goes on after the file's name and quotes nothing secret.
    struct ReadError: Error {
        let problems: [String]
    }

    init(file: [UInt8]) throws(ReadError) {
        var members = try Members(Self.parse(file))
        let project = members.text("project_id", Self.problem(ofProject:))
        let email = members.text("client_email", Self.problem(ofEmail:))
        let key = members.key("private_key")
        let tokenURI = members.text("token_uri", isRequired: false, Self.problem(ofURI:)) ?? Self.usualTokenURI
        let keyID = members.text("private_key_id", isRequired: false) { _ in nil }
        guard members.problems.isEmpty, let project, let email, let key else {
            throw ReadError(problems: members.problems)
        }
        self.project = project
        self.email = email
        self.keyID = keyID
        self.tokenURI = tokenURI
        self.key = key.key
        hasEscapedLines = key.isEscaped
    }

    // MARK: Reading

    private static func parse(_ file: [UInt8]) throws(ReadError) -> JSONObject {
        let root: JSONValue
        do throws(JSONError) { root = try JSONValue(parsing: file) } catch {
            throw ReadError(problems: ["is no JSON: \(error.description)\(hint(file))"])
        }
        guard let object = root.object else { throw ReadError(problems: ["holds \(root.kind), not an object"]) }
        guard object["project_info"] == nil else {
            throw ReadError(problems: ["is the app's google-services.json, not a service account's key"])
        }
        guard let type = object["type"] else {
            throw ReadError(problems: ["has no 'type': it is not a service account's key"])
        }
        guard type.string == "service_account" else {
            throw ReadError(problems: ["has a 'type' other than service_account: it is another kind of credential"])
        }
        return object
    }

    /// What the usual accidents with such files look like.
    private static func hint(_ file: [UInt8]) -> String {
        if file.starts(with: [0xff, 0xfe]) || file.starts(with: [0xfe, 0xff]) {
            return "; it is UTF-16, UTF-8 is wanted: save it again"
        }
        let isServerKey = file.starts(with: "AIza".utf8) || file.starts(with: "AAAA".utf8)
        if isServerKey { return "; it looks like a server key: \(serverKeyAdvice)" }
        if file.starts(with: "-----BEGIN".utf8) { return "; it is a bare key: the whole JSON file is wanted" }
        let isBroken = ["\n", "\r"].contains { file.firstRange(of: Array("PRIVATE KEY-----\($0)".utf8)) != nil }
        return isBroken ? "; line ends within 'private_key' are written \\n" : ""
    }

    private static func problem(ofProject text: String) -> String? {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                || "-.:_".utf8.contains(byte)
        }
        return isPlain ? nil : "must be a project's id"
    }

    private static func problem(ofEmail text: String) -> String? {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        return isPlain && text.contains("@") ? nil : "must be the account's address"
    }

    private static func problem(ofURI text: String) -> String? {
        do throws(SettingsProblem) {
            return try BaseURL.parse(text) == nil ? "must begin with https://" : nil
        } catch {
            return error.message
        }
    }
}

/// Reads an object's members and gathers what is wrong with them.
private struct Members {
    private let object: JSONObject
    private(set) var problems: [String] = []

    init(_ object: JSONObject) { self.object = object }

    mutating func text(_ key: String, isRequired: Bool = true, _ problem: (String) -> String?) -> String? {
        guard let value = object[key] else {
            if isRequired { problems.append("has no '\(key)'") }
            return nil
        }
        guard let text = value.string, !text.isEmpty else {
            problems.append(value.string == "" ? "has an empty '\(key)'" : "has \(value.kind) for '\(key)'")
            return nil
        }
        guard let wrong = problem(text) else { return text }
        problems.append("has a wrong '\(key)': it \(wrong)")
        return nil
    }

    mutating func key(_ name: String) -> (key: SigningKey, isEscaped: Bool)? {
        guard let text = text(name, { _ in nil }) else { return nil }
        do throws(CryptoError) {
            return (try SigningKey(pem: Array(text.utf8), kind: .rsa), text.utf8.contains(UInt8(ascii: "\\")))
        } catch {
            problems.append("has a '\(name)' that cannot be used: \(error.description)")
            return nil
        }
    }
}
