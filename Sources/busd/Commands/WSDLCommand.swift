// SPDX-License-Identifier: Apache-2.0

import SOAPBank

/// The command `wsdl`.
enum WSDLCommand: Command {
    static let name = "wsdl"
    static let synopsis = "soap_bank (inbound|outbound)"
    static let summary = "print the WSDL that banks call, or the one they implement"
    static let details = "'inbound' is the service that the bus offers, 'outbound' the one that it calls."

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        let words = try arguments.rest()
        guard words.count == 2, words[0] == "soap_bank" else { throw UsageError("name soap_bank and a direction") }
        switch words[1] {
        case "inbound":
            Console.print(SOAPBank.inboundWSDL(address: "http://127.0.0.1:8080/pigeon/services/SBIInboundWebService"))
            return .success
        case "outbound":
            Console.print(SOAPBankLink.outboundWSDL(address: "http://127.0.0.1:8080/SBIOutboundWebService"))
            return .success
        default: throw UsageError("the direction is inbound or outbound, not '\(words[1])'")
        }
    }
}
