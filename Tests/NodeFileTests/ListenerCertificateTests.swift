// SPDX-License-Identifier: Apache-2.0

import Bus
import CertificateFiles
import Crypto
import Engine
import Foundation
import Testing
import YAML

@testable import busd

/// What is said of the files under `tls`, and of pipelines that rely on them.
struct ListenerCertificateTests {
    private static let authority = "ca.pem"
    private static let node = """
        listen: 127.0.0.1:0
        pipelines: []
        tls:
          certificate: cert.pem
          key: key.pem
          client_ca: ca.pem

        """
    private static let pipeline = """
        pipeline: p
        inbound:
          - soap_bank:
              path: /bank
              auth: { client_certificate: true }
        outbound:
          - apns:
              endpoint: http://127.0.0.1:1
              topic: a
              auth: { certificate: { path: cert.pem } }

        """

    /// Checks a folder's files; returns what was found, without the folder's name.
    private func problems(_ files: [String: String], only named: [String] = []) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "busd-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            try Data(text.utf8).write(to: folder.appending(path: name))
            chmod(folder.appending(path: name).path, 0o600)
        }
        var read = ConfigurationFiles()
        for name in named { read.add(folder.appending(path: name).path) }
        let configuration = Configuration(read, registry: ModuleList.registry)
        return configuration.diagnostics.map(\.description).map {
            $0.replacingOccurrences(of: "\(folder.path)/", with: "")
        }
    }

    private func files(days: Int = 365) throws -> [String: String] {
        let authority = try CertificateAuthority(name: "test")
        let identity = try authority.server(["localhost"], days: days)
        return [
            "busd.yaml": Self.node, "ca.pem": authority.certificate, "cert.pem": identity.certificate,
            "key.pem": identity.privateKey,
        ]
    }

    @Test func filesThatFitAreFine() throws {
        #expect(try problems(files(), only: ["busd.yaml"]) == [])
    }

    @Test(
        "What is wrong with the files, and where",
        arguments: [
            ("cert.pem", "", "busd.yaml:4:16: error: 'certificate' cert.pem holds no PEM certificate"),
            ("key.pem", "", "busd.yaml:5:8: error: 'key' key.pem holds no private key in PEM"),
            (
                "key.pem", "-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----\n",
                "busd.yaml:5:8: error: 'key' key.pem holds a private key that is damaged"
            ),
            ("ca.pem", "banks", "busd.yaml:6:14: error: 'client_ca' ca.pem holds no PEM certificate"),
        ]
    )
    func faults(file: String, text: String, problem: String) throws {
        var files = try files()
        files[file] = text
        #expect(try problems(files, only: ["busd.yaml"]) == [problem])
    }

    @Test func filesThatAreMissingAreAllNamed() throws {
        let found = try problems(["busd.yaml": Self.node], only: ["busd.yaml"])
        #expect(found.count == 3)
        #expect(found[0] == "busd.yaml:4:16: error: 'certificate' cert.pem cannot be read: No such file or directory")
    }

    @Test func aKeyOfAnotherCertificateIsAnError() throws {
        var files = try files()
        files["key.pem"] = try self.files()["key.pem"]
        let problem = "busd.yaml:5:8: error: 'key' key.pem does not belong to the certificate"
        #expect(try problems(files, only: ["busd.yaml"]) == [problem])
    }

    @Test(
        "A certificate that has ended is an error, and one near its end a doubt",
        arguments: [
            (-1, "error: the certificate cert.pem has expired on 20"),
            (1, "warning: the certificate cert.pem expires in "),
            (11, "warning: the certificate cert.pem expires in 1"),
        ]
    )
    func expiry(days: Int, message: String) throws {
        let found = try problems(files(days: days), only: ["busd.yaml"])
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("busd.yaml:4:16: \(message)") == true, "\(found)")
    }

    @Test("A certificate whose time has not come is an error; of authorities one that is valid is enough")
    func otherTimes() throws {
        let authority = try CertificateAuthority(name: "Old Root")
        let identity = try authority.server(["localhost"])
        let files = ["c": identity.certificate, "k": identity.privateKey, "a": authority.certificate]
        func problems(at now: WallTime) throws -> [String] {
            let settings = try TLSSettings.read(YAML.parse("{ certificate: c, key: k, client_ca: a }", file: "f"))
            let variables = Variables(
                environment: { _ in nil },
                readFile: { Array((files[$0] ?? "").utf8) },
                isOpenToAll: { $0 == "k" }
            )
            return ListenerCertificate(settings, variables, now: now).diagnostics.map(\.description)
        }
        let openKey =
            "f:1:24: warning: 'key' k can be read by every user of this machine; take that right away (chmod o-rwx)"
        #expect(try problems(at: .now()) == [openKey])
        let early = try problems(at: .now().adding(seconds: -2 * 86_400))
        #expect(early.count == 3)
        #expect(
            early[1].hasPrefix(
                "f:1:38: error: 'client_ca' a holds the certificate of Old Root, which is not valid before 20"
            )
        )
        #expect(early[2].hasPrefix("f:1:16: error: the certificate c is not valid before 20"), "\(early)")
        // Ten years on the root has ended too.
        let late = try problems(at: .now().adding(seconds: 4_000 * 86_400))
        #expect(late[1].hasSuffix(", and none that is valid now"), "\(late)")
    }

    @Test("An authority that has ended beside one that has not is a doubt with its date")
    func mixedAuthorities() throws {
        let old = try CertificateAuthority(name: "old").server(["old.example"], days: -1).certificate
        let facts = CertificateBundle.facts(in: Array((old + (try CertificateAuthority(name: "new").certificate)).utf8))
        let problems = CertificateDates.problems(ofAuthorities: facts, now: .now())
        #expect(problems.count == 1)
        #expect(problems.first?.severity == .warning)
        #expect(problems.first?.text.hasPrefix("holds the certificate of old.example, which has expired on 20") == true)
    }

    @Test func aPipelineThatWantsCertificatesNeedsRootsInTheNodeFile() throws {
        var files = try files()
        files["p.yaml"] = Self.pipeline
        files["cert.pem"] = (files["cert.pem"] ?? "") + (files["key.pem"] ?? "")
        #expect(try problems(files, only: ["busd.yaml", "p.yaml"]) == [])
        let message = "'client_certificate' needs 'client_ca' under 'tls' in the node file: nobody could be verified"
        #expect(try problems(files, only: ["p.yaml"]) == ["p.yaml:5:13: warning: \(message)"])
        files["busd.yaml"] = Self.node.replacingOccurrences(of: "  client_ca: ca.pem\n", with: "")
        #expect(try problems(files, only: ["busd.yaml", "p.yaml"]) == ["p.yaml:5:13: error: \(message)"])
    }
}
