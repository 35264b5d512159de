// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import HTTPServer

/// The certificate of the node's listeners, read from the files that the node file names.
struct ListenerCertificate {
    private static let secondsADay: Int64 = 86_400
    private static let warningDays: Int64 = 30

    private let readFile: @Sendable (String) throws(SettingsProblem) -> [UInt8]
    private let now: Int64
    private(set) var diagnostics: [Diagnostic] = []
    /// The certificate; `nil` where it cannot be used.
    private(set) var tls: HTTPServerTLS?

    /// Reads the files; blocks.
    ///
    /// `now` is in seconds since 1970.
    init(
        _ settings: TLSSettings,
        readFile: @escaping @Sendable (String) throws(SettingsProblem) -> [UInt8],
        now: Int64
    ) {
        self.readFile = readFile
        self.now = now
        let certificate = read(settings.certificate, "certificate")
        let key = read(settings.key, "key")
        let roots = settings.clientCA.flatMap { readRoots($0) }
        guard let certificate, let key else { return }
        do throws(ServerCertificate.ReadError) {
            let pair = try ServerCertificate(certificate: certificate, key: key)
            checkDates(pair.facts, settings.certificate)
            tls = HTTPServerTLS(certificate: pair.chain, key: pair.privateKey, clientRoots: roots)
        } catch {
            let (name, path) = error.isAboutKey ? ("key", settings.key) : ("certificate", settings.certificate)
            report(path, "'\(name)' \(path.written) \(error.description)")
        }
    }

    private mutating func readRoots(_ path: FilePath) -> String? {
        guard let bytes = read(path, "client_ca") else { return nil }
        guard CertificateBundle.count(in: bytes) > 0 else {
            report(path, "'client_ca' \(path.written) holds no PEM certificate")
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func read(_ path: FilePath, _ key: String) -> [UInt8]? {
        do throws(SettingsProblem) { return try readFile(path.resolved) } catch {
            report(path, "'\(key)' \(path.written) cannot be read: \(error.message)")
            return nil
        }
    }

    /// A doubt only: the bus works on, and callers who look at the date turn away.
    private mutating func checkDates(_ facts: CertificateFacts, _ path: FilePath) {
        let days = (facts.notAfter - now) / Self.secondsADay
        if facts.notAfter < now {
            warn(path, "the certificate \(path.written) has expired: clients will refuse it")
        } else if days < Self.warningDays {
            warn(path, "the certificate \(path.written) expires in \(days) day\(days == 1 ? "" : "s")")
        }
    }

    private mutating func report(_ path: FilePath, _ message: String) {
        diagnostics.append(.error(at: path.mark ?? SourceMark(file: path.written), message))
    }

    private mutating func warn(_ path: FilePath, _ message: String) {
        diagnostics.append(.warning(at: path.mark ?? SourceMark(file: path.written), message))
    }
}
