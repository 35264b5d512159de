// SPDX-License-Identifier: Apache-2.0

import SOAPBank

/// The command `wsdl`.
enum WSDLCommand: Command {
    static let name = "wsdl"
    static let synopsis = "soap_bank (inbound|outbound)"
    static let summary = "print the WSDL that banks call"
    static let details = "'outbound', the WSDL that banks implement, is not available in this release."

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        let words = try arguments.rest()
        guard words.count == 2, words[0] == "soap_bank" else { throw UsageError("name soap_bank and a direction") }
        switch words[1] {
        case "inbound":
            Console.print(SOAPBank.inboundWSDL(address: "http://127.0.0.1:8080/pigeon/services/SBIInboundWebService"))
            return .success
        case "outbound":
            Console.error("busd wsdl: the outbound WSDL is not available in this release")
            return .failure
        default: throw UsageError("the direction is inbound or outbound, not '\(words[1])'")
        }
    }
}
