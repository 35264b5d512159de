// SPDX-License-Identifier: Apache-2.0

import BankService
import Bus
import CertificateFiles
import Crypto

extension SOAPBankLinkSettings {
    /// Reads the files that the settings name and reports what is wrong with them.
    func check(_ check: inout ModuleCheck) {
        service.check(&check)
        switch auth {
        case .clientCertificate(let certificate): checkCertificate(certificate, &check)
        case .basic: warnOfClearText(&check)
        case .wsSecurity(let token): if !token.isDigest { warnOfClearText(&check) }
        case nil: break
        }
    }

    private func checkCertificate(_ settings: CertificateFileSettings, _ check: inout ModuleCheck) {
        if !service.isSecure {
            check.error(at: service.urlMark, "'url' must begin with https:// where 'client_certificate' is given")
        }
        guard let bytes = check.read(settings.path, "path", isSecret: true) else { return }
        do throws(ClientCertificate.ReadError) {
            let certificate = try ClientCertificate(file: bytes, password: settings.password?.reveal())
            guard let problem = CertificateDates.problem(ofOwn: certificate.facts, now: .now()) else { return }
            let message = "the certificate \(settings.path.written) \(problem.text)"
            check.report(problem.severity, at: settings.path.mark, message)
        } catch {
            let mark = error.isAboutPassword ? settings.passwordMark : settings.path.mark
            check.error(at: mark, "the certificate \(settings.path.written) \(error.description)")
        }
    }

    private func warnOfClearText(_ check: inout ModuleCheck) {
        guard !service.isSecure, !service.isLocal else { return }
        check.warning(at: authMark, "the password goes to the bank in clear text; use https://")
    }
}
