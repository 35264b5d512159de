// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import HTTPClient

/// Whom a link trusts and who it is in TLS: what the settings' files hold, read once.
struct BankTrust {
    private var roots: [UInt8] = []
    private var identity: HTTPClientConfiguration.Identity?

    /// A file that was fine at the check, and is not any more.
    struct LoadError: Error, CustomStringConvertible {
        let description: String
    }

    init(_ settings: SOAPBankLinkSettings) throws(LoadError) {
        if let ca = settings.ca { roots = try Self.read(ca) }
        guard case .clientCertificate(let certificate) = settings.auth else { return }
        let file = try Self.read(certificate.path)
        do throws(ClientCertificate.ReadError) {
            let read = try ClientCertificate(file: file, password: certificate.password?.reveal())
            identity = .init(certificate: Array(read.chain.utf8), key: Array(read.privateKey.utf8))
        } catch {
            throw LoadError(description: "the certificate \(certificate.path.written) \(error.description)")
        }
    }

    func configuration(concurrent: Int, waiting: Int) -> HTTPClientConfiguration {
        HTTPClientConfiguration(
            extraRoots: roots,
            identity: identity,
            concurrentRequests: concurrent,
            waitingRequests: waiting
        )
    }

    private static func read(_ path: FilePath) throws(LoadError) -> [UInt8] {
        do throws(SmallFile.ReadError) { return try SmallFile.read(path.resolved, atMost: 1 << 20) } catch {
            throw LoadError(description: "\(path.written) cannot be read: \(error.reason)")
        }
    }
}
