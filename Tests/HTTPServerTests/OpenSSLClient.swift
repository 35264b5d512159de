// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// A TLS client of another make: `openssl s_client`, which writes what it is told and prints what comes back.
final class OpenSSLClient {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Connects; shows `identity` where there is one.
    init(port: UInt16, folder: URL, identity: Identity? = nil, options: [String] = []) throws {
        var arguments = ["s_client", "-quiet", "-connect", "127.0.0.1:\(port)"] + options
        if let identity {
            let file = folder.appending(path: "\(UUID().uuidString).pem")
            try Data((identity.certificate + identity.privateKey).utf8).write(to: file)
            arguments += ["-cert", file.path, "-key", file.path]
        }
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    func send(_ text: String) { try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    /// Ends it where it is, whatever is under way.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// What came until the server closed the connection; blocks.
    func received() -> String {
        let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
