// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import NotificationJSON
import Threads
import Unicode
import WebAPI

/// The calls of the API: from a request to a message, from the bus's reply to an answer.
struct BankCalls: Sendable {
    private let path: String
    private let tokens: BearerTokens?
    private let needsCertificate: Bool
    private let limits: JSONLimits
    private let document: [UInt8]
    private let intake: any Intake
    private let door: any Doorkeeper
    private let log: Log

    init(settings: RESTBankSettings, context: ModuleContext) {
        path = settings.path
        tokens = if case .bearer(let tokens) = settings.auth { BearerTokens(tokens) } else { nil }
        needsCertificate = if case .clientCertificate = settings.auth { true } else { false }
        let size = settings.maximumBody.bytes
        // The shortest recipient takes four bytes; below the default the default's room costs nothing.
        limits = JSONLimits(bytes: size, depth: 16, values: max(100_000, size / 4))
        document = OpenAPIDocument(path: settings.path, auth: settings.auth).bytes
        intake = context.intake
        door = context.door
        log = context.log
    }

    /// Turns away who does not prove by the head of their call that they are the bank; the document is for everybody.
    var refusal: (@Sendable (HTTPRequest) -> HTTPResponse?)? {
        if needsCertificate {
            return { [path, door] request in
                if request.peer.certificateSubject != nil || request.path == "\(path)/openapi.json" { return nil }
                let detail = "this call needs a certificate that the bus trusts, and none or a wrong one was given"
                let response = ProblemDocument(403, "CERTIFICATE_REQUIRED", detail).response
                return door.refuse(request, at: path, because: .certificate, with: response)
            }
        }
        guard let tokens else { return nil }
        return { [path, door] request in
            // What is not served says so to everybody.
            guard let parts = request.segments(after: path), !request.path.dropFirst(path.count).contains("//"),
                Operation.all.contains(where: { $0.method == request.method && $0.match(parts) != nil })
            else { return nil }
            if let token = request.bearerToken, tokens.contains(token) { return nil }
            let isGiven = request.headers["Authorization"] != nil
            let response = CallFailure(.unauthorized(presented: isGiven)).problem.response
            // The first part of a path that is served is a word, and what follows may be somebody's name.
            let place = "\(path)/\(parts.first ?? "")"
            return door.refuse(request, at: place, because: isGiven ? .wrong : .missing, with: response)
        }
    }

    /// Answers any request below the path.
    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do throws(CallFailure) {
            return try await route(request)
        } catch {
            return error.problem.response
        }
    }

    private func route(_ request: HTTPRequest) async throws(CallFailure) -> HTTPResponse {
        guard let parts = request.segments(after: path) else {
            throw CallFailure(.malformed("the path is not percent-encoded UTF-8 without NUL"))
        }
        // An empty part would make the next one look like an id.
        guard !request.path.dropFirst(path.count).contains("//") else { throw CallFailure(.unknownPath) }
        if parts == ["openapi.json"] {
            if request.method != "GET" { throw CallFailure(.methodNotAllowed("GET, HEAD")) }
            return HTTPResponse(status: 200, contentType: "application/json", body: document)
        }
        let found = Operation.all.filter { $0.match(parts) != nil }
        guard !found.isEmpty else { throw CallFailure(.unknownPath) }
        guard let operation = found.first(where: { $0.method == request.method }) else {
            throw CallFailure(.methodNotAllowed(Self.allowed(found)))
        }
        let id = trimmed(operation.match(parts) ?? "")
        return try await operation.run(self, Operation.Call(request: request, id: id))
    }

    private static func allowed(_ operations: [Operation]) -> String {
        operations.flatMap { $0.method == "GET" ? ["GET", "HEAD"] : [$0.method] }.joined(separator: ", ")
    }

    // MARK: The calls

    func send(_ request: HTTPRequest) async throws(CallFailure) -> HTTPResponse {
        // A short body may be a long one, and the server's own thread is for what is short.
        guard request.headers["Content-Encoding"] != nil else { return try await read(request) }
        let answer = await Pool.run {
            do throws(CallFailure) { return Result<_, CallFailure>.success(try await read(request)) } catch {
                return .failure(error)
            }
        }
        return try answer.get()
    }

    private func read(_ request: HTTPRequest) async throws(CallFailure) -> HTTPResponse {
        let notification = try Self.notification(try request.jsonBody(limits: limits, decoded: limits.bytes).get())
        return try await ask(.notification(notification), request)
    }

    func ask(_ message: Message, _ request: HTTPRequest) async throws(CallFailure) -> HTTPResponse {
        let reply = await intake.submit(message)
        switch reply {
        case .accepted(let statuses): return AnswerWriter.statuses(statuses, status: 202)
        case .statuses(let statuses): return AnswerWriter.statuses(statuses, status: 200)
        case .notification(let notification): return AnswerWriter.notification(notification)
        case .timeline(let events): return AnswerWriter.timeline(events)
        case .exists(let exists): return AnswerWriter.existence(exists)
        case .done: return AnswerWriter.done
        default: throw failure(reply, request)
        }
    }

    private func failure(_ reply: Reply, _ request: HTTPRequest) -> CallFailure {
        switch reply {
        case .duplicate: return CallFailure(ProblemDocument(409, "DUPLICATED_ENTITY", "the id was used before"))
        case .notFound: return CallFailure(.notFound("there is no such entity"))
        case .refused(let refusal): return CallFailure(.invalid(refusal))
        case .overloaded(let seconds): return CallFailure(.overloaded(retryAfter: seconds))
        case .unavailable(let what): return CallFailure(.notAvailable(what))
        case .failed(let why):
            log.error("a call of the bank failed", ["method": request.method, "reason": why])
            return CallFailure(.failed)
        default:
            log.error("the bus gave an answer that does not fit the call", ["method": request.method])
            return CallFailure(.failed)
        }
    }

    /// Reads the body of a request.
    private static func notification(_ body: JSONValue) throws(CallFailure) -> Notification {
        do throws(MisshapenNotification) { return try Notification(json: body) } catch {
            throw CallFailure(.invalid(error.fields))
        }
    }
}
