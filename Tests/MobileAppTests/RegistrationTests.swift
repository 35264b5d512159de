// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import TestSupport
import Testing

struct RegistrationTests {
    @Test func aNewDeviceGetsItsSecretOnce() async throws {
        let mobile = try Mobile(.subscribed(subscriber: "s1", secret: "hush"))
        let answer = await mobile.call("POST", "/devices", body: registration())
        #expect(answer.status == 201)
        #expect(answer.type == "application/json")
        #expect(answer.text == #"{"state":"SUBSCRIBED","subscriberId":"s1","secret":"hush"}"#)
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(mobile.logged.all.isEmpty)
    }

    @Test func aKnownDeviceIsBroughtUpToDate() async throws {
        let mobile = try Mobile(.subscribed(subscriber: "s1", secret: nil))
        let answer = await mobile.call("POST", "/devices", body: registration(), bearer: "hush")
        #expect(answer.status == 200)
        #expect(answer.text == #"{"state":"SUBSCRIBED","subscriberId":"s1"}"#)
    }

    @Test func aCodeThatIsNeededFirstIsSaid() async throws {
        let answer = try await Mobile(.verificationRequired).call("POST", "/devices", body: registration())
        #expect(answer.status == 202)
        #expect(answer.text == #"{"state":"VERIFICATION_REQUIRED"}"#)
    }

    @Test func everyFieldReachesTheBus() async throws {
        let mobile = try Mobile(.subscribed(subscriber: "s1", secret: "hush"))
        let body = registration([
            "userId": #""  Иванов\u00a0""#, "deviceId": #"" a/b ""#, "bankClientId": #"" 42 ""#,
            "token": #""<00FF aa11>""#, "appVersion": #""1.2""#, "osVersion": #""17.0""#, "language": #""ru""#,
            "phone": #""+7 (916) 123-45-67""#, "tags": #"["vip"," old ","vip"]"#, "somethingNew": #"{"a":[1]}"#,
        ])
        _ = await mobile.call("POST", "/devices", body: body, bearer: "hush")
        let expected = Registration(
            app: "retail",
            user: Recipient("Иванов"),
            bankClientID: "42",
            deviceID: "a/b",
            platform: .ios,
            token: "00ffaa11",
            appVersion: "1.2",
            osVersion: "17.0",
            language: "ru",
            phone: "+7 (916) 123-45-67",
            tags: ["vip", "old"],
            credential: .secret("hush")
        )
        #expect(mobile.intake.messages == [.registration(expected)])
    }

    @Test(
        "null and blanks mean that a field is left out",
        arguments: [
            "bankClientId", "appVersion", "osVersion", "language", "phone", "tags", "tokenEncoding",
        ]
    )
    func null(field: String) async throws {
        let mobile = try Mobile(.subscribed(subscriber: "s1", secret: "hush"))
        let answer = await mobile.call("POST", "/devices", body: registration([field: "null"]))
        #expect(answer.status == 201)
        let plain = Registration(
            app: "retail",
            user: Recipient("ivanov"),
            deviceID: "phone-1",
            platform: .ios,
            token: "00ff"
        )
        #expect(mobile.intake.messages == [.registration(plain)])
    }

    @Test(
        "Who calls is told by the token",
        arguments: [
            (nil, Credential.none), ("hush", .secret("hush")), (Mobile.front, .trusted),
            ("other-front-token", .trusted),
            (Mobile.front + "x", .secret(Mobile.front + "x")), ("two words", .none),
        ] as [(String?, Credential)]
    )
    func credential(bearer: String?, credential: Credential) async throws {
        let mobile = try Mobile(.subscribed(subscriber: "s1", secret: "hush"))
        _ = await mobile.call("POST", "/devices", body: registration(), bearer: bearer)
        guard case .registration(let registration) = mobile.intake.messages.first else {
            Issue.record("nothing reached the bus")
            return
        }
        #expect(registration.credential == credential)
    }

    @Test(
        "A token is brought into the provider's form",
        arguments: [
            (["token": #""AbCd""#], "abcd"), (["token": #""/wA=""#, "tokenEncoding": #""base64""#], "ff00"),
            (["token": #""_wA""#, "tokenEncoding": #""base64""#], "ff00"),
            (["token": #""/wA=\n""#, "tokenEncoding": #""base64""#], "ff00"),
            (["token": #""AA""#, "tokenEncoding": #""hex""#], "aa"),
            (["token": #""a:B-c_d""#, "platform": #""ANDROID""#], "a:B-c_d"),
        ]
    )
    func token(changes: [String: String], expected: String) async throws {
        let mobile = try Mobile(.subscribed(subscriber: "s1", secret: "hush"))
        let answer = await mobile.call("POST", "/devices", body: registration(changes))
        #expect(answer.status == 201, "\(answer.text)")
        guard case .registration(let registration) = mobile.intake.messages.first else { return }
        #expect(registration.token == expected)
    }

    @Test(
        "A bad field is named, its value is not, and nothing reaches the bus",
        arguments: [
            ("appId", nil), ("appId", "5"), ("appId", #""""#), ("userId", nil), ("userId", "null"),
            ("userId", #"" \t ""#),
            ("userId", "[]"), ("userId", long(256)), ("deviceId", nil), ("deviceId", "true"), ("deviceId", long(256)),
            ("platform", nil), ("platform", #""WINDOWS""#), ("platform", #""ios""#), ("platform", "1"),
            ("token", nil), ("token", "null"), ("token", #""""#), ("token", #""null""#), ("token", #""(null)""#),
            ("token", #""123""#), ("token", #""xyzw""#), ("token", long(514)), ("token", "12"), ("token", "{}"),
            ("tokenEncoding", #""rot13""#), ("tokenEncoding", "1"), ("bankClientId", "7"), ("bankClientId", long(256)),
            ("appVersion", "1.2"), ("appVersion", long(256)), ("osVersion", "17"), ("language", "[]"),
            ("phone", "79161234567"), ("phone", #""call me""#), ("phone", #""12""#), ("phone", long(41)),
            ("tags", #""vip""#), ("tags", "{}"),
            ("tags", "[" + [String](repeating: #""a""#, count: 101).joined(separator: ",") + "]"),
        ] as [(String, String?)]
    )
    func badField(field: String, value: String?) async throws {
        let mobile = try Mobile(.subscribed(subscriber: "s1", secret: "hush"))
        let answer = await mobile.call("POST", "/devices", body: registration([field: value]))
        #expect(answer.isProblem(422, "INVALID_REQUEST"), "\(answer.text)")
        #expect(answer.faults.map(\.path) == [field])
        #expect(!answer.text.contains("call me") && !answer.text.contains("xyzw"))
        #expect(mobile.intake.messages.isEmpty)
        #expect(mobile.logged.all.isEmpty)
    }

    @Test("A bad element of tags is named by its place", arguments: ["5", #""""#, "null", long(256)])
    func badTag(value: String) async throws {
        let body = registration(["tags": "[\"a\",\(value)]"])
        let answer = try await Mobile().call("POST", "/devices", body: body)
        #expect(answer.isProblem(422, "INVALID_REQUEST"))
        #expect(answer.faults.map(\.path) == ["tags[1]"])
    }

    @Test(
        "Base64 that is none, or for Android, is refused",
        arguments: [
            (["token": #""????""#], "token"), (["token": #""null""#], "token"), (["token": #""""#], "token"),
            (["platform": #""ANDROID""#], "tokenEncoding"),
        ]
    )
    func badBase64(changes: [String: String], path: String) async throws {
        let body = registration(changes.merging(["tokenEncoding": #""base64""#]) { first, _ in first })
        let answer = try await Mobile().call("POST", "/devices", body: body)
        #expect(answer.isProblem(422, "INVALID_REQUEST"), "\(answer.text)")
        #expect(answer.faults.map(\.path) == [path])
    }

    @Test func allBadFieldsAreNamedAtOnce() async throws {
        let answer = try await Mobile().call("POST", "/devices", body: "{}")
        #expect(answer.faults.map(\.path) == ["appId", "userId", "deviceId", "platform", "token"])
    }

    @Test("An Android token has bounds", arguments: [(long(4_096), 201), (long(4_097), 422), (#""a b""#, 422)])
    func androidToken(token: String, status: Int) async throws {
        let mobile = try Mobile(.subscribed(subscriber: "s1", secret: "hush"))
        let body = registration(["platform": #""ANDROID""#, "token": token])
        #expect(await mobile.call("POST", "/devices", body: body).status == status)
    }

    @Test func anUnknownAppIsNotFound() async throws {
        let mobile = try Mobile()
        let answer = await mobile.call("POST", "/devices", body: registration(["appId": #""other""#]))
        #expect(answer.isProblem(404, "ENTITY_NOT_FOUND"))
        #expect(mobile.intake.messages.isEmpty)
    }

    @Test func anAppOfOneSystemTakesNoOther() async throws {
        let mobile = try Mobile(settings: Mobile.twoApps)
        let answer = await mobile.call("POST", "/devices", body: registration(["appId": #""biz""#]))
        #expect(answer.isProblem(422, "INVALID_REQUEST"))
        #expect(answer.faults.map(\.path) == ["platform"])
    }

    private static func long(_ count: Int) -> String { "\"" + String(repeating: "a", count: count) + "\"" }
}
