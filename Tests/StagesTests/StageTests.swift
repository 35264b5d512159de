// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import Testing
import YAML

@testable import MapIDs
@testable import Validate

@Suite("The stages")
struct StageTests {
    private static let context = ModuleContext(pipeline: "p", label: "s", log: .silent, intake: NoIntake())

    private static func notification(
        _ id: NotificationID = "n1",
        to users: [RecipientID] = ["anna"]
    ) -> Bus.Notification {
        Notification(
            id: id,
            recipients: users.map { Recipient($0) },
            timeout: 600,
            content: PushContent(badge: 0, text: "text", type: .universal)
        )
    }

    private func stage<S: Stage>(_ type: S.Type, _ yaml: String) throws -> S {
        try S(settings: try S.Settings.read(try YAML.parse(yaml, file: "s.yaml")), context: Self.context)
    }

    @Test("map_ids folds every name a message holds, and no notification id")
    func fold() async throws {
        let stage = try stage(MapIDs.self, "case_insensitive: true")
        let notification = Self.notification("N1", to: ["АННА", "Straße", "x"])
        guard case .proceed(.notification(let mapped)) = await stage.process(.notification(notification)) else {
            Issue.record("the notification did not proceed")
            return
        }
        #expect(mapped.id == "N1")
        #expect(mapped.recipients.map(\.id) == ["анна", "strasse", "x"])
        #expect(mapped.recipients.map(\.spelling) == ["АННА", "Straße", "x"])
        let registration = Registration(app: "a", user: Recipient("Анна"), deviceID: "d", platform: .ios, token: "aa")
        guard case .proceed(.registration(let other)) = await stage.process(.registration(registration)) else {
            Issue.record("the registration did not proceed")
            return
        }
        #expect(other.user.id == mapped.recipients[0].id)
    }

    @Test("map_ids knows users by other names, in any case where it ignores case")
    func aliases() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "aliases-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: file) }
        try "alias,user\nCLIENT-7,Anna\n".write(to: file, atomically: true, encoding: .utf8)
        let stage = try stage(MapIDs.self, "{ case_insensitive: true, aliases: \(file.path) }")
        let message = Message.query(.subscriptions([Recipient("client-7"), Recipient("ANNA"), Recipient("boris")]))
        guard case .proceed(.query(.subscriptions(let users))) = await stage.process(message) else {
            Issue.record("the query did not proceed")
            return
        }
        #expect(users.map(\.id) == ["anna", "anna", "boris"])
    }

    @Test("a table of aliases that is wrong is told with its line")
    func wrongAliases() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "aliases-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: file) }
        try "a,b\na,c\n".write(to: file, atomically: true, encoding: .utf8)
        var check = ModuleCheck(mark: SourceMark(file: "s.yaml"), readFile: Variables.process.readFile)
        MapIDs.check(try MapIDs.Settings.read(try YAML.parse("aliases: \(file.path)", file: "s.yaml")), &check)
        MapIDs.check(try MapIDs.Settings.read(try YAML.parse("aliases: none.csv", file: "s.yaml")), &check)
        #expect(
            check.diagnostics.map(\.description) == [
                "\(file.path):2:1: error: the line names an alias a second time; the first is at line 1",
                "s.yaml:1:10: error: 'aliases' cannot be read: No such file or directory",
            ]
        )
    }

    @Test(
        "all that is wrong in a table of aliases is told: blanks, circles, chains, names nobody can have",
        arguments: [
            ("alias,user\na,b\nc,b\n", []),
            ("a,a\nb,a\n", []),
            (" a,b\na,b \na\t,b\n", [1, 2, 3]),
            ("a,b\nb,a\n", [1, 2]),
            ("Alias,User\na,b\nb,c\n", [2]),
            ("a,b\nb,c\nc,a\n", [1, 2, 3]),
            ("a,b\nx\na,c\n,d\n", [2, 3, 4]),
            ("a,\(String(repeating: "u", count: 256))\n", [1]),
            ("A,b\na,c\n", [2]),
            ("user,alias\nb,a\n", [1]),
        ] as [(String, [Int])]
    )
    func faultyAliases(text: String, lines: [Int]) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "aliases-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: file) }
        try text.write(to: file, atomically: true, encoding: .utf8)
        var check = ModuleCheck(mark: SourceMark(file: "s.yaml"), readFile: Variables.process.readFile)
        let options = "{ case_insensitive: true, aliases: \(file.path) }"
        MapIDs.check(try MapIDs.Settings.read(try YAML.parse(options, file: "s.yaml")), &check)
        #expect(check.diagnostics.map(\.mark.line).sorted() == lines, "\(check.diagnostics)")
    }

    @Test(
        "validate refuses what it is told to, and lets the rest pass",
        arguments: [
            ("{}", true), ("{ max_text: 4 }", true), ("{ max_text: 3 }", false), ("{ types: [UNIVERSAL] }", true),
            ("{ types: [URL, PIN_CODE] }", false),
        ]
    )
    func validate(yaml: String, passes: Bool) async throws {
        let stage = try stage(Validate.self, yaml)
        let message = Message.notification(Self.notification())
        let verdict = await stage.process(message)
        if passes {
            #expect(verdict == .proceed(message))
        } else {
            guard case .reject = verdict else {
                Issue.record("it passed")
                return
            }
        }
    }

    @Test("unknown recipients are a wish that is granted after all stages")
    func unknownRecipients() async throws {
        let stage = try stage(Validate.self, "{ allow_unknown_recipients: false }")
        guard
            case .proceed(.notification(let marked)) = await stage.process(
                .notification(Self.notification())
            )
        else {
            Issue.record("the notification did not proceed")
            return
        }
        #expect(marked.requiresKnownRecipients)
    }
}

private struct NoIntake: Intake {
    func submit(_ message: Message) async -> Reply { .done }
}
