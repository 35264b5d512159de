// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import Testing

/// A real Kannel, from Debian's packages kannel and kannel-extras, on free ports of the loopback.
final class Kannel {
    /// What is behind the gateway.
    enum Far {
        /// Kannel's own `fakesmsc`, which delivers everything.
        case fake
        /// Our SMSC that speaks SMPP and fails on demand.
        case smpp
    }

    /// Where the gateway takes messages.
    let url: String
    /// Lines that the SMSC wrote.
    let arrivals: Arrivals<String>

    private init(url: String, arrivals: Arrivals<String>) {
        self.url = url
        self.arrivals = arrivals
    }

    /// Runs `body` with a gateway whose SMSC is connected; all programs are gone afterwards.
    static func with(_ far: Far, _ body: (Kannel) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kannel-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var programs: [OtherProgram] = []
        defer {
            for program in programs { program.kill() }
            for program in programs { program.wait() }
            try? FileManager.default.removeItem(at: folder)
        }
        func start(_ path: String, _ arguments: [String]) throws -> OtherProgram {
            let program = try OtherProgram(path, arguments, in: folder)
            programs.append(program)
            return program
        }
        let ports = try freePorts(4)
        let status = "http://127.0.0.1:\(ports[0])/status.txt?password=adm"
        var smsc: OtherProgram?
        var smscPort = ports[3]
        if far == .smpp {
            let script = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../Interop/smpp_standin.py").standardizedFileURL
            let program = try start("/usr/bin/env", ["python3", script.path])
            let line = try await program.lines.first { $0.hasPrefix("port ") }
            smscPort = try #require(UInt16(line.dropFirst(5)))
            smsc = program
        }
        let file = folder.appending(path: "kannel.conf")
        try configuration(ports, far, smscPort).write(to: file, atomically: true, encoding: .utf8)
        _ = try start("/usr/sbin/bearerbox", ["-v", "1", file.path])
        try await poll(status) { _ in true }
        _ = try start("/usr/sbin/smsbox", ["-v", "1", file.path])
        // Its last argument is a message of its own, of which `-m 0` sends none.
        smsc =
            try smsc
            ?? start(
                "/usr/lib/kannel/test/fakesmsc",
                ["-H", "127.0.0.1", "-r", "\(smscPort)", "-m", "0", "-v", "0", "1 2 text nop"]
            )
        try await poll(status) { $0.contains("(online") }
        let url = "http://127.0.0.1:\(ports[2])/cgi-bin/sendsms"
        try await poll(url) { $0.contains("Authorization failed") }
        try await body(Kannel(url: url, arrivals: try #require(smsc).lines))
    }

    /// Kannel tells nobody when it is ready: it is asked until it is.
    private static func poll(_ url: String, until isReady: (String) -> Bool) async throws {
        let client = HTTPClient()
        defer { client.stop() }
        while true {
            try Task.checkCancellation()
            let response = try? await client.send(HTTPClientRequest(url: url))
            if let response, isReady(String(decoding: response.body, as: UTF8.self)) { return }
            try await Task.sleep(for: .milliseconds(30))
        }
    }

    private static func configuration(_ ports: [UInt16], _ far: Far, _ smscPort: UInt16) -> String {
        let smsc =
            switch far {
            case .fake: "smsc = fake\nport = \(smscPort)\nconnect-allow-ip = 127.0.0.1"
            case .smpp:
                "smsc = smpp\nhost = 127.0.0.1\nport = \(smscPort)\ntransceiver-mode = true\nsystem-type = \"\"\n"
                    + "smsc-username = esme\nsmsc-password = secret\nmsg-id-type = 0x00"
            }
        return """
            group = core
            admin-port = \(ports[0])
            admin-interface = 127.0.0.1
            admin-password = adm
            smsbox-port = \(ports[1])
            smsbox-interface = 127.0.0.1
            box-allow-ip = 127.0.0.1
            box-deny-ip = "*.*.*.*"
            sms-resend-freq = 1

            group = smsc
            smsc-id = far
            \(smsc)

            group = smsbox
            bearerbox-host = 127.0.0.1
            bearerbox-port = \(ports[1])
            sendsms-port = \(ports[2])
            sendsms-interface = 127.0.0.1

            group = sendsms-user
            username = busd
            password = gate-password
            max-messages = 10
            concatenation = true

            """
    }
}
