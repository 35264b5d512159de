// SPDX-License-Identifier: Apache-2.0

import XML

/// What can be wrong with a request's addressing (WS-Addressing 1.0, SOAP binding, 6.4).
enum AddressingFault: Equatable {
    /// An answer is wanted elsewhere than on the connection.
    case notAnonymous(Addressing.Property)
    /// A header came twice.
    case repeated(Addressing.Property)
    /// An endpoint reference has no address.
    case missingAddress(Addressing.Property)

    /// The fault's codes below Client or Sender, the widest first.
    func codes(in version: Addressing.Version) -> [StaticString] {
        guard version == .v10 else { return ["InvalidMessageInformationHeader"] }
        return switch self {
        case .notAnonymous: ["InvalidAddressingHeader", "OnlyAnonymousAddressSupported"]
        case .repeated: ["InvalidAddressingHeader", "InvalidCardinality"]
        case .missingAddress: ["InvalidAddressingHeader", "MissingAddressInEPR"]
        }
    }

    /// What is wrong, in words for the caller.
    var message: String {
        switch self {
        case .notAnonymous(let header):
            "answers are sent over the caller's connection only: \(header.name) must be anonymous"
        case .repeated(let header): "the header \(header.name) is repeated"
        case .missingAddress(let header): "the header \(header.name) has no Address"
        }
    }

    /// Names the header at fault, as the recommendation wants it.
    func writeProblem(to writer: inout XMLWriter) {
        let header =
            switch self {
            case .notAnonymous(let header), .repeated(let header), .missingAddress(let header): header
            }
        writer.markup("<wsa:ProblemHeaderQName>wsa:")
        writer.markup(header.name)
        writer.markup("</wsa:ProblemHeaderQName>")
    }
}
