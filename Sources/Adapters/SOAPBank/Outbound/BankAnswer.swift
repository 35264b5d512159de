// SPDX-License-Identifier: Apache-2.0

import Unicode
import XML

/// What a bank's service said, in either version of SOAP.
enum BankAnswer: Equatable {
    /// A response, or an empty Body; the value of the wanted field, where there is one.
    case response(String?)
    /// A fault.
    case fault(Fault)

    /// Why the service refused, as far as its fault tells.
    enum Fault: Equatable {
        /// `BankClientNotExistsException`.
        case unknownClient
        /// The call is at fault: Client in 1.1, Sender in 1.2.
        case client
        /// The bus's credentials are (WS-Security 1.0, §12).
        case security
        /// Anything else.
        case server
    }

    /// Reads an answer to an operation; `field` is the name of the value it may hold beside the usual `return`.
    ///
    /// - Throws: ``NotSOAP`` where it is no answer in SOAP.
    static func read(
        _ bytes: [UInt8],
        to operation: BankCall.Operation,
        field: StaticString,
        type: MediaType
    ) throws(NotSOAP) -> BankAnswer {
        do {
            let reader = try read(bytes, type, BankAnswerReader(operation: operation, field: field))
            return try reader.answer
        } catch let error as NotSOAP {
            throw error
        } catch {
            throw NotSOAP(kind: .looking(at: bytes))
        }
    }

    /// An answer in SOAP's own encoding is put together first.
    private static func read(
        _ bytes: [UInt8],
        _ type: MediaType,
        _ reader: BankAnswerReader
    ) throws -> BankAnswerReader {
        var (bytes, type) = (bytes, type)
        if type.isPackage {
            let package = try RequestPackage(bytes, type)
            (bytes, type) = (package.envelope, package.type)
        }
        do {
            try parser.parse(bytes, charset: type.charset, handler: reader)
            return reader
        } catch is NeedsResolving {
            let resolved = try EnvelopeResolver.resolve(bytes, charset: type.charset, with: parser, limit: 1 << 20)
            let second = reader.forResolved
            try parser.parse(resolved, handler: second)
            return second
        }
    }

    /// What came in the place of SOAP.
    struct NotSOAP: Error, Equatable {
        let kind: BodyKind
    }

    private static let parser = XMLParser(trustsDeclaration: true, skipsLeadingBlanks: true)
}
