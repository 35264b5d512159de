// SPDX-License-Identifier: Apache-2.0

import BankService
public import Bus
import Compression
import Threads
import XML

/// Banks call it over SOAP 1.1 and 1.2: `SBIInboundWebService`, with its five operations.
public struct SOAPBank: InboundAdapter {
    /// Its name in pipeline files.
    public static let name = "soap_bank"
    /// What `busd modules` says.
    public static let summary = "Banks send notifications and ask about them over SOAP 1.1 and 1.2."

    private let settings: SOAPBankSettings
    private let intake: any Intake
    private let door: any Doorkeeper
    private let parser: XMLParser
    private let tokens: TokenVerifier?

    /// Makes the adapter; the bus's listeners serve it.
    public init(settings: SOAPBankSettings, context: ModuleContext) {
        self.settings = settings
        parser = XMLParser(trustsDeclaration: settings.trustsDeclaration, skipsLeadingBlanks: true)
        intake = context.intake
        door = context.door
        if case .wsSecurity(let credentials) = settings.auth {
            tokens = TokenVerifier(credentials, door: context.door)
        } else {
            tokens = nil
        }
    }

    /// Warns of an open door.
    public static func check(_ settings: SOAPBankSettings, _ check: inout ModuleCheck) {
        check.declare([])
        switch settings.auth {
        case nil: if !settings.isAuthGiven { BankDoor.warnOfNoAuth(name, &check) }
        case .clientCertificate:
            check.needClientCertificates(at: settings.authMark)
        case .basic, .wsSecurity: check.expectSecrets(at: settings.authMark)
        }
    }

    /// The one path it serves.
    public static func paths(_ settings: SOAPBankSettings) -> [String] { [settings.path] }

    /// One path, for requests and for the WSDL.
    public var routes: [HTTPRoute] {
        [
            HTTPRoute(
                .exact,
                path: settings.path,
                methods: ["GET", "POST"],
                maximumBody: settings.maximumBody.bytes,
                admit: refusal,
                refuse: Self.refuse,
                handler: answer
            )
        ]
    }

    /// The WSDL that banks build their clients from, for a service that is called at `address`.
    public static func inboundWSDL(address: String) -> String { InboundWSDL.text(address: address) }

    // MARK: Requests

    /// Turns away who does not prove by the head of their call that they are the bank; the WSDL is for everybody.
    private var refusal: (@Sendable (HTTPRequest) -> HTTPResponse?)? {
        let place = settings.path
        switch settings.auth {
        case nil, .wsSecurity: return nil
        case .clientCertificate:
            return { [door] request in
                guard request.method != "GET", request.peer.certificateSubject == nil else { return nil }
                return door.refuse(request, at: place, because: .certificate, with: Self.withoutCertificate(request))
            }
        case .basic(let credentials):
            return { [door] request in
                let given = request.headers["Authorization"]
                guard request.method != "GET", !credentials.match(authorization: given) else { return nil }
                let reason: CallRefusal = given == nil ? .missing : .wrong
                return door.refuse(request, at: place, because: reason, with: Self.unauthorized(request))
            }
        }
    }

    private static func withoutCertificate(_ request: HTTPRequest) -> HTTPResponse {
        let version = MediaType(request.headers["Content-Type"]).version
        let message = "a certificate that the bus trusts is needed, and none or a wrong one was given"
        var response = SOAPAnswer(version: version).response(.client(message))
        response.status = 403
        return response
    }

    /// What the server itself turns away is a fault too: the envelope was not read, so the media type says which.
    private static func refuse(_ refusal: HTTPRefusal, _ request: HTTPRequest) -> HTTPResponse {
        let code: SOAPFault.Code = refusal.retryAfter == nil ? .client : .server
        let fault = SOAPFault(code: code, message: refusal.message)
        var response = SOAPAnswer(version: MediaType(request.headers["Content-Type"]).version).response(fault)
        response.status = refusal.status
        response.headers = refusal.headers
        return response
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        if request.method == "GET" { return InboundWSDL.page(request) }
        // A short body may be a long one, and the server's own thread is for what is short.
        guard let coding = request.headers["Content-Encoding"] else { return await unpack(request, coding: nil) }
        return await Pool.run { await unpack(request, coding: coding) }
    }

    private func unpack(_ request: HTTPRequest, coding: String?) async -> HTTPResponse {
        let type = MediaType(request.headers["Content-Type"])
        do throws(SOAPFault) {
            let document = try RequestDocument(request.body, type, coding, limit: settings.maximumBody.bytes)
            return await answer(request, document, type.version)
        } catch {
            var response = SOAPAnswer(version: type.version).response(error)
            if error.httpStatus == 415 { response.headers = [("Accept-Encoding", ContentCoding.accepted)] }
            return response
        }
    }

    /// Answers in the version of the envelope, in `version` where there is none.
    private func answer(
        _ call: HTTPRequest,
        _ document: RequestDocument,
        _ version: SOAPVersion
    ) async -> HTTPResponse {
        var reader = EnvelopeReader(understandsSecurity: tokens != nil)
        let request: SOAPRequest
        let kept: TokenVerifier.Kept?
        do {
            try read(document, &reader)
            try reader.header?.timestamp?.check(at: .now())
            kept = try await tokens?.verify(reader.header?.token)
            try reader.header?.addressing?.check()
            request = try reader.request()
        } catch {
            let response = Self.answer(to: reader, version).response(Self.fault(error))
            guard let refused = error as? RefusedToken else { return response }
            return door.refuse(call, at: settings.path, because: refused.reason, with: response)
        }
        let answer = Self.answer(to: reader, version)
        let reply = await intake.submit(request.message)
        // A token whose use could not be kept could be used again.
        if let kept, await !kept() { return answer.response(Self.overloaded) }
        return answer.response(to: request.operation, reply)
    }

    private func read(_ document: RequestDocument, _ reader: inout EnvelopeReader) throws {
        let charset = document.type.charset
        do {
            try parser.parse(document.bytes, charset: charset, handler: reader)
        } catch is NeedsResolving {
            let limit = settings.maximumBody.bytes
            let resolved = try EnvelopeResolver.resolve(document.bytes, charset: charset, with: parser, limit: limit)
            reader = EnvelopeReader(understandsSecurity: tokens != nil, isResolved: true)
            try parser.parse(resolved, handler: reader)
        }
    }

    private static func answer(to reader: EnvelopeReader, _ version: SOAPVersion) -> SOAPAnswer {
        SOAPAnswer(version: reader.version ?? version, addressing: reader.header?.addressing)
    }

    private static func fault(_ error: any Error) -> SOAPFault {
        switch error {
        case let fault as SOAPFault: fault
        case let token as RefusedToken: token.fault
        case let error as XMLError: .client("the request is not well-formed XML: \(error)")
        default: SOAPFault(code: .server, message: "the request could not be read")
        }
    }

    private static let overloaded = SOAPFault(code: .server, message: "overloaded, try again later", retryAfter: 1)

    private static func unauthorized(_ request: HTTPRequest) -> HTTPResponse {
        let version = MediaType(request.headers["Content-Type"]).version
        var response = SOAPAnswer(version: version).response(.client("user name and password are missing or wrong"))
        response.status = 401
        response.headers = [("WWW-Authenticate", "Basic realm=\"busd\", charset=\"UTF-8\"")]
        return response
    }
}
