// SPDX-License-Identifier: Apache-2.0

import BankService
import Bus
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
        guard let bytes = read(settings.path, "path", &check) else { return }
        do throws(ClientCertificate.ReadError) {
            _ = try ClientCertificate(file: bytes, password: settings.password?.reveal())
        } catch {
            let mark = error.isAboutPassword ? settings.passwordMark : settings.path.mark
            check.error(at: mark, "the certificate \(settings.path.written) \(error.description)")
        }
    }

    private func warnOfClearText(_ check: inout ModuleCheck) {
        guard !service.isSecure, !service.isLocal else { return }
        check.warning(at: authMark, "the password goes to the bank in clear text; use https://")
    }

    private func read(_ path: FilePath, _ key: String, _ check: inout ModuleCheck) -> [UInt8]? {
        do throws(SettingsProblem) { return try check.readFile(path.resolved) } catch {
            check.error(at: path.mark, "'\(key)' \(path.written) cannot be read: \(error.message)")
            return nil
        }
    }
}
