// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import WebAPI

/// The calls of the mobile API: from a request to a message, from the bus's reply to an answer.
struct MobileCalls: Sendable {
    let path: String
    private let apps: [AppSettings]
    private let authorization: Authorization
    private let codeText: String
    let trusted: BearerTokens
    let intake: any Intake
    let door: any Doorkeeper
    let log: Log

    init(settings: MobileAppSettings, context: ModuleContext) {
        path = settings.path
        apps = settings.apps
        authorization = settings.authorization
        codeText = settings.codeText
        trusted = BearerTokens(settings.trusted?.bearer ?? [])
        intake = context.intake
        door = context.door
        log = context.log
    }

    /// Answers any request below the path.
    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard let place = request.segments(after: path) else {
            return ProblemDocument.malformed("the path is not percent-encoded UTF-8").response
        }
        // An empty part would make the next one look like an id.
        guard !request.path.dropFirst(path.count).contains("//") else { return ProblemDocument.unknownPath.response }
        do throws(CallFailure) {
            return try await route(request, place)
        } catch {
            guard error.problem.status == 401 else { return error.problem.response }
            return turnedAway(request)
        }
    }

    private func route(_ request: HTTPRequest, _ place: [String]) async throws(CallFailure) -> HTTPResponse {
        let parts = place.count
        switch (place.first, parts) {
        case ("apps", 2):
            try request.allow("GET")
            return try settings(of: place[1])
        case ("devices", 1):
            try request.allow("POST")
            return try await register(request)
        case ("devices", 2):
            try request.allow("GET", "DELETE")
            let deviceID = try Self.id(place[1], "deviceId")
            if request.method == "GET" { return try await lookUp(deviceID, request) }
            return try await unregister(deviceID, request)
        case ("devices", 3) where place[2] == "token":
            try request.allow("PUT")
            return try await updateToken(try Self.id(place[1], "deviceId"), request)
        case ("devices", 3) where place[2] == "verification":
            try request.allow("POST")
            return try await verify(try Self.id(place[1], "deviceId"), request)
        case ("receipts", 1):
            try request.allow("POST")
            return try await takeReceipt(request)
        case ("events", 1):
            try request.allow("POST")
            return try await takeEvent(request)
        case ("notifications", 3) where place[2] == "details":
            try request.allow("GET")
            return try await showDetails(try Self.id(place[1], "id"), request)
        default: throw CallFailure(.unknownPath)
        }
    }

    // MARK: The calls

    private func settings(of app: String) throws(CallFailure) -> HTTPResponse {
        let found = try declared(app)
        var writer = JSONWriter()
        writer.beginObject()
        for setting in found.settings {
            writer.key(text: setting.name)
            writer.string(setting.value)
        }
        writer.endObject()
        return HTTPResponse(status: 200, contentType: "application/json", body: writer.bytes)
    }

    private func register(_ request: HTTPRequest) async throws(CallFailure) -> HTTPResponse {
        let body = try request.jsonBody().get()
        var registration = try Registration.read(body, credential: credential(of: request)).get()
        registration.authorization = authorization
        if authorization == .smsCode { registration.codeText = codeText }
        let app = try declared(registration.app)
        if let only = app.platform, only.platform != registration.platform {
            throw CallFailure(.invalid(Refusal(field: "platform", "must be \(only.rawValue) for this app")))
        }
        return try registered(await intake.submit(.registration(registration)), request, missing: "no such app")
    }

    private func verify(_ deviceID: String, _ request: HTTPRequest) async throws(CallFailure) -> HTTPResponse {
        var fields = JSONFields(try request.jsonBody().get())
        let named = fields.id("appId", required: false)
        let user = fields.id("userId")
        let code = fields.code("code")
        guard let user, let code, fields.problems.isEmpty else { throw CallFailure(.invalid(fields.refusedFields)) }
        let app = try named.map { (id) throws(CallFailure) in try declared(id).id }
        let recipient = Recipient(RecipientID(user))
        let verification = Verification(app: app, user: recipient, deviceID: deviceID, code: code)
        let reply = await intake.submit(.verification(verification))
        return try registered(reply, request, missing: "no registration waits for a code")
    }

    private func registered(
        _ reply: Reply,
        _ request: HTTPRequest,
        missing: String
    ) throws(CallFailure) -> HTTPResponse {
        switch reply {
        case .subscribed(let subscriber, let secret):
            return Self.state("SUBSCRIBED", subscriber: subscriber, secret: secret)
        case .verificationRequired: return Self.state("VERIFICATION_REQUIRED")
        default: throw failure(reply, request, missing: missing)
        }
    }

    private func lookUp(_ deviceID: String, _ request: HTTPRequest) async throws(CallFailure) -> HTTPResponse {
        let app = try namedApp(of: request, isRequired: true) ?? ""
        guard let user = request.queryValue("userId") else {
            throw CallFailure(.invalid(Refusal(field: "userId", "is missing in the query")))
        }
        let recipient = Recipient(RecipientID(try Self.id(user, "userId")))
        switch await intake.submit(.query(.device(app: app, deviceID: deviceID, user: recipient))) {
        case .exists(let isThere):
            let body = "{\"exists\":\(isThere)}"
            return HTTPResponse(status: 200, contentType: "application/json", body: Array(body.utf8))
        case let reply: throw failure(reply, request)
        }
    }

    private func updateToken(_ deviceID: String, _ request: HTTPRequest) async throws(CallFailure) -> HTTPResponse {
        let caller = try authenticated(request)
        let app = try namedApp(of: request, isRequired: caller == .trusted)
        var fields = JSONFields(try request.jsonBody().get())
        let token = fields.token("token", for: nil)
        guard let token, fields.problems.isEmpty else { throw CallFailure(.invalid(fields.refusedFields)) }
        let update = TokenUpdate(app: app, deviceID: deviceID, token: token, credential: caller)
        return try done(await intake.submit(.tokenUpdate(update)), request)
    }

    private func unregister(_ deviceID: String, _ request: HTTPRequest) async throws(CallFailure) -> HTTPResponse {
        let caller = try authenticated(request)
        let app = try namedApp(of: request, isRequired: caller == .trusted)
        let end = Unregistration.device(app: app, deviceID: deviceID, credential: caller)
        return try done(await intake.submit(.unregistration(end)), request)
    }

    // MARK: Who calls, and for which app

    /// The caller of a call for an existing device; without a token nobody needs to be asked.
    func authenticated(_ request: HTTPRequest) throws(CallFailure) -> Credential {
        let caller = credential(of: request)
        if caller == .none { throw CallFailure(.unauthorized(presented: false)) }
        return caller
    }

    private func declared(_ id: String) throws(CallFailure) -> AppSettings {
        let wanted = Field.trim(id)
        guard let app = apps.first(where: { $0.id.utf8.elementsEqual(wanted.utf8) }) else {
            throw CallFailure(.notFound("no such app"))
        }
        return app
    }

    /// The app that the query names, or the only one there is; `nil` where there are several and none need be named.
    private func namedApp(of request: HTTPRequest, isRequired: Bool) throws(CallFailure) -> String? {
        if let named = request.queryValue("appId") { return try declared(named).id }
        if apps.count == 1 { return apps.first?.id }
        if !isRequired { return nil }
        throw CallFailure(.invalid(Refusal(field: "appId", "is missing in the query, and there are several apps")))
    }

    static func id(_ text: String, _ name: String) throws(CallFailure) -> String {
        let id = Field.trim(text)
        if let found = Field.problem(id: id) { throw CallFailure(.invalid(Refusal(field: name, found))) }
        return id
    }
}

extension HTTPRequest {
    fileprivate func allow(_ methods: String...) throws(CallFailure) {
        if !methods.contains(method) { throw CallFailure(.methodNotAllowed(methods.joined(separator: ", "))) }
    }
}
