// SPDX-License-Identifier: Apache-2.0

import Bus
import CertificateFiles
import Crypto
import HTTPServer

/// The certificate of the node's listeners, read from the files that the node file names.
struct ListenerCertificate {
    private let variables: Variables
    private let now: WallTime
    private(set) var diagnostics: [Diagnostic] = []
    /// The certificate; `nil` where it cannot be used.
    private(set) var tls: HTTPServerTLS?

    /// Reads the files; blocks.
    init(_ settings: TLSSettings, _ variables: Variables, now: WallTime) {
        self.variables = variables
        self.now = now
        let certificate = read(settings.certificate, "certificate")
        let key = read(settings.key, "key", isSecret: true)
        let roots = settings.clientCA.flatMap { readRoots($0) }
        guard let certificate, let key else { return }
        do throws(ServerCertificate.ReadError) {
            let pair = try ServerCertificate(certificate: certificate, key: key)
            if let problem = CertificateDates.problem(ofOwn: pair.facts, now: now) {
                let path = settings.certificate
                report(path, "the certificate \(path.written) \(problem.text)", problem.severity)
            }
            tls = HTTPServerTLS(certificate: pair.chain, key: pair.privateKey, clientRoots: roots)
        } catch {
            let (name, path) = error.isAboutKey ? ("key", settings.key) : ("certificate", settings.certificate)
            report(path, "'\(name)' \(path.written) \(error.description)")
        }
    }

    private mutating func readRoots(_ path: FilePath) -> String? {
        guard let bytes = read(path, "client_ca") else { return nil }
        for problem in CertificateDates.problems(ofAuthorities: CertificateBundle.facts(in: bytes), now: now) {
            report(path, "'client_ca' \(path.written) \(problem.text)", problem.severity)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func read(_ path: FilePath, _ key: String, isSecret: Bool = false) -> [UInt8]? {
        var check = ModuleCheck(
            mark: path.mark ?? SourceMark(file: path.written),
            readFile: variables.readFile,
            isOpenToAll: variables.isOpenToAll
        )
        defer { diagnostics += check.diagnostics }
        return check.read(path, key, isSecret: isSecret)
    }

    private mutating func report(_ path: FilePath, _ message: String, _ severity: Diagnostic.Severity = .error) {
        diagnostics.append(Diagnostic(severity, at: path.mark ?? SourceMark(file: path.written), message))
    }
}
