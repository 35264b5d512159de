// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Subscriptions of another installation", .timeLimit(.minutes(2)))
struct ImportTests {
    private func prepare(_ folder: URL, _ csv: String) throws -> [String] {
        let pipeline = """
            pipeline: bank
            inbound:
              - soap_bank: { path: /s }
              - mobile_app: { path: /m, authorization: none, apps: [{ id: retail }] }
            stages: [{ map_ids: { case_insensitive: true } }]
            outbound:
              - external: { command: [cat] }
            """
        try pipeline.write(to: folder.appending(path: "p.yaml"), atomically: true, encoding: .utf8)
        let node = "store: sqlite:\(folder.path)/bus.db\npipelines: [p.yaml]\n"
        try node.write(to: folder.appending(path: "busd.yaml"), atomically: true, encoding: .utf8)
        let file = folder.appending(path: "users.csv")
        try csv.write(to: file, atomically: true, encoding: .utf8)
        return [
            "import-subscriptions", file.path, "--pipeline", "bank", "--config",
            folder.appending(path: "busd.yaml").path,
        ]
    }

    @Test("Bad rows are told with their places, the rest goes in, and a second run renews it")
    func rows() async throws {
        try await withFolder { folder in
            let arguments = try prepare(
                folder,
                """
                \u{feff}user,device,platform,token,phone,tags,registered
                Anna,d1,ios,00FF,+79001234567,vip gold,2026-01-01T00:00:00+03:00

                ,d2,IOS,00ff,,,
                "Bo,ris",d3,ANDROID,"to""ken",,,1700000000000
                carl,d4,WINDOWS,x,,,
                carl,d5,IOS,xyz,,,
                carl,d6,ANDROID,tok,,,yesterday
                carl,d7
                "carl,d8,ANDROID,tok,,,
                """
            )
            let first = try busd(arguments)
            #expect(first.status == 1)
            #expect(first.output == "2 added, 0 renewed, 6 bad\n")
            let places = ["4:1", "6:9", "7:13", "8:23", "9:1", "10:1"]
            let lines = first.error.split(separator: "\n")
            #expect(lines.count == places.count, "\(first.error)")
            for (line, place) in zip(lines, places) {
                #expect(line.contains("users.csv:\(place): error: "), "\(line)")
                #expect(!line.contains("tok") || line.contains("token"), "no token in it: \(line)")
            }
            let second = try busd(arguments)
            #expect(second.output == "0 added, 2 renewed, 6 bad\n")
        }
    }

    @Test("What was cut off is begun again: none twice, none missing")
    func killed() async throws {
        try await withFolder { folder in
            let count = 30_000
            let rows = (0..<count).map { "user\($0 / 2),device\($0),ANDROID,token\($0)" }
            let arguments = try prepare(folder, "user,device,platform,token\n" + rows.joined(separator: "\n"))
            let killed = Process()
            killed.executableURL = BusProcess.program
            killed.arguments = arguments
            killed.standardOutput = FileHandle.nullDevice
            killed.standardError = FileHandle.nullDevice
            try killed.run()
            // In the middle: once the log of the store has something in it.
            let log = folder.appending(path: "bus.db-wal").path
            let isUnderWay = try await eventually {
                let facts = try? FileManager.default.attributesOfItem(atPath: log)
                return (facts?[.size] as? Int ?? 0) > 100_000
            }
            #expect(isUnderWay)
            kill(killed.processIdentifier, SIGKILL)
            killed.waitUntilExit()
            let second = try busd(arguments)
            #expect(second.status == 0, "\(second.error)")
            let numbers = second.output.split(separator: " ").compactMap { Int($0) }
            #expect(numbers.count == 3 && numbers[0] + numbers[1] == count, "\(second.output)")
            #expect(numbers[1] > 0, "it was cut off in the middle")
            #expect(try busd(arguments).output == "0 added, \(count) renewed, 0 bad\n")
        }
    }

    @Test("A file, a pipeline or a column that is not there is told")
    func wrong() async throws {
        try await withFolder { folder in
            var arguments = try prepare(folder, "user,devise,platform,token\n")
            #expect(
                try busd(arguments).error.contains("users.csv:1:6: error: there is no column 'devise'; did you mean")
            )
            arguments[3] = "bnak"
            let wrong = try busd(arguments)
            #expect(wrong.status == 2)
            #expect(wrong.error.contains("there is no pipeline 'bnak'; did you mean 'bank'?"))
            #expect(try busd(["import-subscriptions", "x.csv"]).status == 2)
        }
    }
}
