// SPDX-License-Identifier: Apache-2.0

import Glibc

/// nginx that reads the same requests and answers 200 with nothing: the least that a way in can cost.
final class NginxYardstick {
    let process: ChildProcess
    let port: UInt16 = 28_080

    init(folder: String) throws {
        try SystemText.write(
            """
            daemon off;
            master_process off;
            pid nginx.pid;
            error_log stderr crit;
            events { worker_connections 8192; }
            http {
                access_log off;
                client_body_temp_path body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
                keepalive_requests 1000000000;
                server {
                    listen 127.0.0.1:\(port);
                    location / { return 200; }
                }
            }

            """,
            to: "\(folder)/nginx.conf"
        )
        process = try ChildProcess(
            "nginx",
            ["-p", folder, "-c", "nginx.conf", "-e", "stderr"],
            log: "\(folder)/nginx.log"
        )
        for _ in 0..<500 where !isListening { usleep(10_000) }
        guard isListening else { throw BenchFailure("nginx does not serve: is it installed?") }
    }

    private var isListening: Bool {
        let text = (try? SystemText.read("/proc/net/tcp")) ?? ""
        let hex = String(port, radix: 16, uppercase: true)
        return text.contains("0100007F:\(String(repeating: "0", count: 4 - hex.count))\(hex) 00000000:0000 0A")
    }
}

/// h2load that puts pushes on the wire with the same headers and body each: the least that a way out can cost.
enum H2LoadYardstick {
    /// What so many pushes cost it.
    static func measure(_ count: Int, port: UInt16, folder: String) throws -> Measurement {
        let body = "{\"aps\":{\"alert\":\"\(SOAPRequests.text)\",\"badge\":1,\"sound\":\"default\"}}"
        try SystemText.write(body, to: "\(folder)/push.json")
        let process = try ChildProcess(
            "h2load",
            [
                "--requests", "\(count)", "--clients", "4", "--max-concurrent-streams", "250", "--threads", "1",
                "--data", "\(folder)/push.json", "--header", "apns-topic: com.example.bank",
                "--header", "apns-push-type: alert", "--header", "apns-priority: 10",
                "--header", "apns-id: 5c0ffee0-0000-4000-8000-000000000000",
                "--header", "authorization: bearer \(String(repeating: "x", count: 200))",
                "https://127.0.0.1:\(port)/3/device/\(Users.token(0))",
            ]
        )
        return try Measurement(of: process) {
            var succeeded = 0
            while let line = process.line() {
                guard line.hasPrefix("requests:") else { continue }
                let words = line.split(separator: " ")
                succeeded = words.firstIndex(of: "succeeded,").flatMap { Int(words[$0 - 1]) } ?? 0
            }
            guard succeeded == count else { throw BenchFailure("h2load: \(succeeded) of \(count): is it installed?") }
            return (count, nil)
        }
    }
}
