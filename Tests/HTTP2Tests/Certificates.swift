// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A throw-away authority with certificates for a server and a client, made once a run with the openssl command.
struct Certificates: Sendable {
    static let shared = Certificates(named: "localhost")
    /// Another authority, which nobody trusts, and whose server has another name.
    static let stranger = Certificates(named: "elsewhere.example")

    let authority: [UInt8]
    let server: [UInt8]
    let serverKey: [UInt8]
    let client: [UInt8]
    let clientKey: [UInt8]

    private init(named name: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "http2-tests-\(UUID().uuidString)")
        try! FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func openssl(_ line: String) {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/openssl")
            process.arguments = line.split(separator: " ").map(String.init)
            process.currentDirectoryURL = folder
            process.standardError = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            try! process.run()
            process.waitUntilExit()
            precondition(process.terminationStatus == 0, "openssl \(line)")
        }
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        openssl("req -x509 \(key) -keyout ca.key -out ca.pem -days 2 -subj /CN=Test-CA")
        try! Data("subjectAltName=DNS:\(name)\n".utf8).write(to: folder.appending(path: "san"))
        for subject in ["server", "client"] {
            openssl("req \(key) -keyout \(subject).key -out \(subject).csr -subj /CN=\(subject)")
            openssl(
                "x509 -req -in \(subject).csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2"
                    + " -extfile san -out \(subject).pem"
            )
        }
        func read(_ file: String) -> [UInt8] { [UInt8](try! Data(contentsOf: folder.appending(path: file))) }
        authority = read("ca.pem")
        server = read("server.pem")
        serverKey = read("server.key")
        client = read("client.pem")
        clientKey = read("client.key")
    }
}
