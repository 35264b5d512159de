// SPDX-License-Identifier: Apache-2.0

import BankService
public import Bus
import XML

/// Banks call it over SOAP 1.1 and 1.2: `SBIInboundWebService`, with its five operations.
public struct SOAPBank: InboundAdapter {
    /// Its name in pipeline files.
    public static let name = "soap_bank"
    /// What `busd modules` says.
    public static let summary = "Banks send notifications and ask about them over SOAP 1.1 and 1.2."

    private let settings: SOAPBankSettings
    private let intake: any Intake
    private let parser: XMLParser
    private let tokens: TokenVerifier?

    /// Makes the adapter; the bus's listeners serve it.
    public init(settings: SOAPBankSettings, context: ModuleContext) {
        self.settings = settings
        parser = XMLParser(trustsDeclaration: settings.trustsDeclaration)
        intake = context.intake
        if case .wsSecurity(let credentials) = settings.auth {
            tokens = TokenVerifier(credentials)
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

    /// Turns away who shows no certificate, before the body is read; the WSDL is for everybody.
    private var refusal: (@Sendable (HTTPRequest) -> HTTPResponse?)? {
        guard case .clientCertificate = settings.auth else { return nil }
        return { request in
            guard request.method != "GET", request.peer.certificateSubject == nil else { return nil }
            let version = MediaType(request.headers["Content-Type"]).version
            let message = "a certificate that the bus trusts is needed, and none or a wrong one was given"
            var response = SOAPAnswer(version: version).response(.client(message))
            response.status = 403
            return response
        }
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
        if case .basic(let credentials) = settings.auth,
            !credentials.match(authorization: request.headers["Authorization"])
        {
            return unauthorized(request)
        }
        let type = MediaType(request.headers["Content-Type"])
        if type.isForeign {
            return HTTPResponse(status: 415, text: "send SOAP as text/xml or application/soap+xml")
        }
        return await answer(request.body, type)
    }

    private func answer(_ body: [UInt8], _ type: MediaType) async -> HTTPResponse {
        let reader = EnvelopeReader(understandsSecurity: tokens != nil)
        let request: SOAPRequest
        do {
            try parser.parse(body, charset: type.charset, handler: reader)
            try tokens?.verify(reader.token)
            request = try reader.request()
        } catch {
            return SOAPAnswer(version: reader.version ?? type.version).response(Self.fault(error))
        }
        let answer = SOAPAnswer(version: reader.version ?? type.version)
        return answer.response(to: request.operation, await intake.submit(request.message))
    }

    private static func fault(_ error: any Error) -> SOAPFault {
        switch error {
        case let fault as SOAPFault: fault
        case let error as XMLError: .client("the request is not well-formed XML: \(error)")
        default: SOAPFault(code: .server, message: "the request could not be read")
        }
    }

    private func unauthorized(_ request: HTTPRequest) -> HTTPResponse {
        let version = MediaType(request.headers["Content-Type"]).version
        var response = SOAPAnswer(version: version).response(.client("user name and password are missing or wrong"))
        response.status = 401
        response.headers = [("WWW-Authenticate", "Basic realm=\"busd\", charset=\"UTF-8\"")]
        return response
    }
}
