// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import PushService
import Threads

extension APNsSettings {
    private static let secondsADay: Int64 = 86_400
    private static let warningDays: Int64 = 30

    /// Reads the files that the settings name and reports what is wrong with them.
    func check(_ check: inout ModuleCheck, now: WallTime) {
        ProviderFile.checkAuthority(ca, &check)
        switch auth {
        case .key(let key): Self.check(key, &check)
        case .certificate(let certificate): self.check(certificate, &check, now: now)
        case nil: break
        }
    }

    private static func check(_ key: KeySettings, _ check: inout ModuleCheck) {
        guard let bytes = ProviderFile.read(key.path, "path", &check) else { return }
        do throws(CryptoError) { _ = try SigningKey(pem: bytes, kind: .p256) } catch {
            check.error(at: key.path.mark, "'path' \(key.path.written) cannot be used: \(error.description)")
        }
    }

    private func check(_ settings: CertificateSettings, _ check: inout ModuleCheck, now: WallTime) {
        guard let bytes = ProviderFile.read(settings.path, "path", &check) else { return }
        let certificate: ClientCertificate
        do throws(ClientCertificate.ReadError) {
            certificate = try ClientCertificate(file: bytes, password: settings.password?.reveal())
        } catch {
            let mark = error.isAboutPassword ? settings.passwordMark : settings.path.mark
            return check.error(at: mark, "the certificate \(settings.path.written) \(error.description)")
        }
        checkDates(certificate.facts, settings.path, &check, now: now)
        checkTopic(PushTopics(certificate.facts), settings.path, &check)
    }

    private func checkDates(_ facts: CertificateFacts, _ path: FilePath, _ check: inout ModuleCheck, now: WallTime) {
        let left = facts.notAfter - now.seconds
        if facts.notBefore > now.seconds {
            let start = WallTime(seconds: facts.notBefore)
            check.error(
                at: path.mark,
                "the certificate \(path.written) is not valid before \(Timestamp.text(start)); is this machine's clock right?"
            )
        } else if left < 0 {
            check.error(at: path.mark, "the certificate \(path.written) has expired")
        } else if left < Self.warningDays * Self.secondsADay {
            let days = left / Self.secondsADay
            check.warning(
                at: path.mark,
                "the certificate \(path.written) expires in \(days) day\(days == 1 ? "" : "s")"
            )
        }
    }

    private func checkTopic(_ topics: PushTopics, _ path: FilePath, _ check: inout ModuleCheck) {
        guard let topic else {
            guard topics.usual == nil else { return }
            return check.error("'topic' is missing; the certificate \(path.written) names no app")
        }
        guard !topics.all.isEmpty, !topics.all.contains(topic) else { return }
        let named = topics.all.joined(separator: ", ")
        check.warning("'topic' is \(topic), and the certificate \(path.written) is for \(named)")
    }
}
