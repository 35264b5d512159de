// SPDX-License-Identifier: Apache-2.0

import BankService
import Bus
import Crypto
import HTTPClient

extension BankAuthentication {
    /// Who the bus is in TLS: what the certificate's file holds; `nil` where it proves that in another way.
    var identity: HTTPClientConfiguration.Identity? {
        get throws(BankService.LoadError) {
            guard case .clientCertificate(let certificate) = self else { return nil }
            let file = try BankService.read(certificate.path)
            do throws(ClientCertificate.ReadError) {
                let read = try ClientCertificate(file: file, password: certificate.password?.reveal())
                return .init(certificate: Array(read.chain.utf8), key: Array(read.privateKey.utf8))
            } catch {
                throw BankService.LoadError("the certificate \(certificate.path.written) \(error.description)")
            }
        }
    }
}
