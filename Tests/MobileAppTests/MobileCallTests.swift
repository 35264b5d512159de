// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import TestSupport
import Testing

struct MobileCallTests {
    @Test func anAppGetsItsSettings() async throws {
        let mobile = try Mobile(settings: Mobile.twoApps)
        let answer = await mobile.call("GET", "/apps/retail")
        #expect(answer.status == 200)
        #expect(answer.type == "application/json")
        #expect(answer.text == #"{"colour":"red","minimum version":"1.10","on":"true"}"#)
        #expect(await mobile.call("GET", "/apps/biz").text == "{}")
        #expect(await mobile.call("GET", "/apps/Retail").isProblem(404, "ENTITY_NOT_FOUND"))
    }

    @Test("A device is looked up by app, id and user", arguments: [true, false])
    func lookUp(isThere: Bool) async throws {
        let mobile = try Mobile(.exists(isThere), settings: Mobile.twoApps)
        let answer = await mobile.call("GET", "/devices/a%2Fb%20?appId=biz&userId=%20Anna+K")
        #expect(answer.status == 200)
        #expect(answer.text == "{\"exists\":\(isThere)}")
        #expect(mobile.intake.messages == [.query(.device(app: "biz", deviceID: "a/b", user: Recipient("Anna K")))])
    }

    @Test(
        "What a look-up needs is named",
        arguments: [
            ("/devices/a?appId=biz", "userId"), ("/devices/a?appId=biz&userId=", "userId"),
            ("/devices/a?appId=biz&userId=%20", "userId"), ("/devices/a?appId=biz&userId=%ff", "userId"),
            ("/devices/a?userId=u", "appId"), ("/devices/%20?appId=biz&userId=u", "deviceId"),
            ("/devices/\(String(repeating: "d", count: 256))?appId=biz&userId=u", "deviceId"),
        ]
    )
    func lookUpProblems(path: String, field: String) async throws {
        let mobile = try Mobile(.exists(true), settings: Mobile.twoApps)
        let answer = await mobile.call("GET", path)
        #expect(answer.isProblem(422, "INVALID_REQUEST"))
        #expect(answer.faults.map(\.path) == [field])
        #expect(mobile.intake.messages.isEmpty)
    }

    @Test func theOnlyAppNeedNotBeNamed() async throws {
        let mobile = try Mobile(.exists(true))
        #expect(await mobile.call("GET", "/devices/a?userId=u").status == 200)
        #expect(mobile.intake.messages == [.query(.device(app: "retail", deviceID: "a", user: Recipient("u")))])
        #expect(await mobile.call("GET", "/devices/a?userId=u&appId=x").isProblem(404, "ENTITY_NOT_FOUND"))
    }

    @Test(
        "A token is updated and a device removed by whoever shows a token",
        arguments: [
            ("?", "hush", nil, Credential.secret("hush")), ("?appId=biz", "hush", "biz", .secret("hush")),
            ("?appId=biz", Mobile.front, "biz", .trusted),
        ] as [(String, String, String?, Credential)]
    )
    func changes(query: String, bearer: String, app: String?, credential: Credential) async throws {
        let mobile = try Mobile(.done, settings: Mobile.twoApps)
        let body = #"{"token":" <AB cd> ","new":1}"#
        let put = await mobile.call("PUT", "/devices/a%2Fb/token\(query)", body: body, bearer: bearer)
        let delete = await mobile.call("DELETE", "/devices/a%2Fb\(query)", bearer: bearer)
        #expect(put.status == 204 && put.text.isEmpty)
        #expect(delete.status == 204 && delete.text.isEmpty)
        let update = TokenUpdate(app: app, deviceID: "a/b", token: " <AB cd> ", credential: credential)
        let end = Unregistration.device(app: app, deviceID: "a/b", credential: credential)
        #expect(mobile.intake.messages == [.tokenUpdate(update), .unregistration(end)])
    }

    @Test(
        "A front server names the app where there are several",
        arguments: [
            ("PUT", "/devices/a/token"), ("DELETE", "/devices/a"),
        ]
    )
    func frontServer(method: String, path: String) async throws {
        let several = try Mobile(settings: Mobile.twoApps)
        let answer = await several.call(method, path, body: #"{"token":"aa"}"#, bearer: Mobile.front)
        #expect(answer.isProblem(422, "INVALID_REQUEST"))
        #expect(answer.faults.map(\.path) == ["appId"])
        let one = try Mobile()
        #expect(await one.call(method, path, body: #"{"token":"aa"}"#, bearer: Mobile.front).status == 204)
    }

    @Test(
        "Without a token, or with something else, a device is not touched",
        arguments: [
            ("PUT", "/devices/a/token"), ("DELETE", "/devices/a"),
        ]
    )
    func unauthorized(method: String, path: String) async throws {
        let mobile = try Mobile()
        for headers in [[], [("Authorization", "Basic aHVzaA==")], [("Authorization", "Bearer ")]] {
            let answer = await mobile.call(method, path, body: #"{"token":"aa"}"#, headers: headers)
            #expect(answer.isProblem(401, "UNAUTHORIZED"))
            #expect(answer.header("WWW-Authenticate") == "Bearer")
        }
        #expect(mobile.intake.messages.isEmpty)
    }

    @Test func aWrongSecretIsSaidToBeWrongAndNotRepeated() async throws {
        let answer = try await Mobile(.unauthorized).call("DELETE", "/devices/a", bearer: "hush")
        #expect(answer.isProblem(401, "UNAUTHORIZED"))
        #expect(answer.header("WWW-Authenticate") == #"Bearer error="invalid_token""#)
        #expect(!answer.text.contains("hush"))
    }

    @Test(
        "Who shows nothing is turned away by the head of their call, where something is needed",
        arguments: [
            ("PUT", "/devices/a/token", true), ("DELETE", "/devices/a", true), ("POST", "/receipts", true),
            ("POST", "/events", true), ("GET", "/notifications/n/details", true), ("GET", "/devices/a", false),
            ("POST", "/devices", false), ("POST", "/devices/a/verification", false), ("GET", "/apps/retail", false),
            ("PUT", "/nowhere", false), ("PATCH", "/devices/a", false),
        ]
    )
    func byTheHead(method: String, path: String, isRefused: Bool) async throws {
        let mobile = try Mobile()
        let request = HTTPRequest(method: method, path: "/mobile/v1" + path)
        #expect(mobile.route.admit?(request)?.status == (isRefused ? 401 : nil))
        #expect(mobile.door.refused.map(\.reason) == (isRefused ? [.missing] : []))
        var known = request
        known.headers = HTTPHeaders([("Authorization", "Bearer  secret ")])
        #expect(mobile.route.admit?(known)?.status == nil)
    }

    @Test func aWrongSecretIsToldToTheDoorkeeperWithoutAnyNameAndAnsweredLate() async throws {
        let mobile = try Mobile(.unauthorized)
        let answers = [
            await mobile.respond("DELETE", "/devices/+79001234567", bearer: "hush"),
            await mobile.respond("GET", "/notifications/n1/details?subscriberId=s", bearer: "hush"),
        ]
        #expect(answers.map(\.status) == [401, 401])
        #expect(answers.map(\.delay) == [.seconds(1), .seconds(1)])
        #expect(
            mobile.door.refused == [.init(.wrong, "/mobile/v1/devices"), .init(.wrong, "/mobile/v1/notifications")]
        )
    }

    @Test("A new token must be one", arguments: ["{}", #"{"token":null}"#, #"{"token":5}"#, "[]", "null"])
    func badToken(body: String) async throws {
        let mobile = try Mobile()
        let answer = await mobile.call("PUT", "/devices/a/token", body: body, bearer: "hush")
        #expect(answer.isProblem(422, "INVALID_REQUEST"))
        #expect(mobile.intake.messages.isEmpty)
    }

    @Test func aNewTokenMayComeInBase64() async throws {
        let mobile = try Mobile()
        let body = #"{"token":"/wA=","tokenEncoding":"base64"}"#
        #expect(await mobile.call("PUT", "/devices/a/token", body: body, bearer: "hush").status == 204)
        let update = TokenUpdate(app: "retail", deviceID: "a", token: "ff00", credential: .secret("hush"))
        #expect(mobile.intake.messages == [.tokenUpdate(update)])
    }

    @Test(
        "What the bus says becomes a status",
        arguments: [
            (Reply.notFound, 404, "ENTITY_NOT_FOUND"), (.unauthorized, 401, "UNAUTHORIZED"),
            (.refused(Refusal(field: "token", "is bad")), 422, "INVALID_REQUEST"),
            (.overloaded(retryAfter: 3), 503, "OVERLOADED"),
            (.failed("disk secret"), 500, "INTERNAL_SERVER_ERROR"), (.unavailable("later"), 501, "NOT_AVAILABLE"),
            (.duplicate, 500, "INTERNAL_SERVER_ERROR"), (.accepted([]), 500, "INTERNAL_SERVER_ERROR"),
        ]
    )
    func replies(reply: Reply, status: Int, code: String) async throws {
        let mobile = try Mobile(reply)
        for answer in [
            await mobile.call("POST", "/devices", body: registration(), bearer: "hush"),
            await mobile.call("GET", "/devices/a?userId=u"),
            await mobile.call("PUT", "/devices/a/token", body: #"{"token":"aa"}"#, bearer: "hush"),
            await mobile.call("DELETE", "/devices/a", bearer: "hush"),
        ] where !(answer.status == 401 && answer.header("WWW-Authenticate") == "Bearer") {
            #expect(answer.isProblem(status, code), "\(answer.text)")
            #expect(answer.header("Retry-After") == (status == 503 ? "3" : nil))
            #expect(answer.faults.map(\.path) == (status == 422 ? ["token"] : []))
            #expect(!answer.text.contains("secret"))
        }
        #expect(mobile.logged.all.count == (status == 500 ? 4 : 0))
        #expect(!mobile.logged.all.contains { $0.contains("hush") || $0.contains("ivanov") })
    }

    @Test(
        "An unknown path or method is said to be one",
        arguments: [
            ("GET", "", 404), ("GET", "/", 404), ("GET", "/apps", 404), ("GET", "/other", 404),
            ("POST", "/devices/", 422),
            ("PUT", "/devices//token", 404), ("DELETE", "/devices//token", 404), ("GET", "/devices/a/b/c", 404),
            ("GET", "/devices", 405), ("POST", "/devices/a", 405), ("GET", "/devices/a/token", 405),
            ("DELETE", "/apps/retail", 405), ("GET", "/receipts", 405), ("GET", "/devices/%zz", 400),
            ("GET", "/devices/%00", 400), ("GET", "/apps/%ff", 400),
        ]
    )
    func paths(method: String, path: String, status: Int) async throws {
        let answer = try await Mobile().call(method, path, body: "{}", bearer: "hush")
        #expect(answer.status == status)
        #expect(answer.type == "application/problem+json")
        #expect((answer.header("Allow") != nil) == (status == 405))
    }

    @Test(
        "A body that is not JSON is no crash",
        arguments: [
            "", " ", "{", "{\"appId\":\"secret", "\u{feff}\u{feff}{}", "{\"a\":1,\"a\":2}", "nul",
            "{\"userId\":\"\\u0000\"}",
            String(repeating: "[", count: 50_000), "{} {}", "{\"userId\":\"\\ud800\"}",
        ]
    )
    func malformed(body: String) async throws {
        let mobile = try Mobile()
        for answer in [
            await mobile.call("POST", "/devices", body: body),
            await mobile.call("PUT", "/devices/a/token", body: body, bearer: "hush"),
        ] {
            #expect(answer.isProblem(400, "MALFORMED_REQUEST"), "\(answer.text)")
            #expect(!answer.text.contains("secret"))
        }
        #expect(mobile.intake.messages.isEmpty)
    }

    @Test(
        "Only JSON in UTF-8 is read",
        arguments: [
            ("text/xml", 415), ("application/x-www-form-urlencoded", 415),
            ("application/json; charset=windows-1251", 415),
            ("", 415), ("application/jsonp", 415), ("application/json", 201),
            ("Application/JSON;charset=\"UTF-8\"", 201),
            ("application/vnd.bank+json ; v=2", 201),
        ]
    )
    func mediaTypes(type: String, status: Int) async throws {
        let mobile = try Mobile(.subscribed(subscriber: "s", secret: "x"))
        let answer = await mobile.call("POST", "/devices", body: registration(), headers: [("Content-Type", type)])
        #expect(answer.status == status)
        if status == 415 { #expect(answer.isProblem(415, "UNSUPPORTED_MEDIA_TYPE")) }
    }
}
