// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import JSON
import TestSupport
import Testing

@testable import External

/// Real programs behind the peer: those that behave, and those that do not.
@Suite("Programs in other languages", .serialized, .timeLimit(.minutes(2)))  // They count descriptors.
struct ProcessTests {
    private func peer(
        _ command: [String],
        workers: Int = 1,
        timeout: Duration = .seconds(20),
        firstPause: Int64 = 1
    ) -> ProcessPeer {
        ProcessPeer(command, workers: workers, timeout: timeout, label: "t", firstPause: firstPause, log: .silent)
    }

    private func python(_ body: String, timeout: Duration = .seconds(20), workers: Int = 1) -> ProcessPeer {
        let head = "import json, os, random, sys, time\ndef say(**a): print(json.dumps(a), flush=True)\n"
        return peer(["python3", "-c", head + body], workers: workers, timeout: timeout)
    }

    private func ask(_ peer: ProcessPeer, _ text: String = "x") async -> Result<JSONValue, ExternalFailure> {
        await peer.ask { writer in
            writer.key("text")
            writer.string(text)
        }
    }

    @Test("Each question gets its own answer, whatever their order and number")
    func order() async {
        let peer = python(
            """
            batch = []
            for line in sys.stdin:
                batch.append(json.loads(line))
                if len(batch) == 10:
                    random.shuffle(batch)
                    for q in batch: say(id=q["id"], echo=q["text"])
                    batch = []
            """,
            workers: 2
        )
        let right = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<400 {
                group.addTask {
                    guard case .success(let answer) = await ask(peer, "q\(number)") else { return false }
                    return answer["echo"]?.string == "q\(number)"
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(right == 400)
        await peer.stop()
    }

    @Test("A program that dies in the middle loses what it had and nothing else, and leaves nothing behind")
    func deaths() async throws {
        let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        let peer = python(
            """
            left = 3
            for line in sys.stdin:
                if left == 0: os._exit(3)
                left -= 1
                say(id=json.loads(line)["id"], pid=os.getpid())
            """
        )
        var programs: Set<Int64> = []
        var lost = 0
        for _ in 0..<400 {
            switch await ask(peer) {
            case .success(let answer): programs.insert(answer["pid"]?.integer ?? 0)
            case .failure(let failure):
                #expect(failure.isAmbiguous && failure.reason == "the program ended")
                lost += 1
            }
        }
        #expect(lost == programs.count || lost == programs.count - 1)
        #expect(lost >= 98)
        await peer.stop()
        #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count <= before + 1, "its inbox")
        for program in programs { #expect(kill(pid_t(program), 0) != 0, "it is still there, or nobody took its end") }
    }

    @Test("What is killed from outside under load loses no question: each has an answer or a reason")
    func killed() async {
        let peer = python(
            """
            say(id=0, pid=os.getpid())
            for line in sys.stdin:
                q = json.loads(line)
                if q["text"] == "die": os.kill(os.getpid(), 9)
                say(id=q["id"])
            """,
            workers: 2
        )
        let ends = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    if case .success = await ask(peer, number % 50 == 49 ? "die" : "x") { true } else { false }
                }
            }
            return await group.reduce(into: (good: 0, bad: 0)) { if $1 { $0.good += 1 } else { $0.bad += 1 } }
        }
        #expect(ends.good + ends.bad == 1_000)
        #expect(ends.bad >= 20)
        await peer.stop()
    }

    @Test("Without an answer in time there is a reason, and a slow start is no such case")
    func hang() async {
        let slow = python("time.sleep(0.3)\nfor line in sys.stdin: say(id=json.loads(line)['id'])")
        #expect((try? await ask(slow).get()) != nil)
        await slow.stop()
        let mute = python("for line in sys.stdin: pass", timeout: .milliseconds(300))
        #expect(await ask(mute) == .failure(ExternalFailure(reason: "no answer in time", isAmbiguous: true)))
        await mute.stop()
        // It does not even read: what does not fit into the pipe waits here, bounded, and is given up in time.
        let deaf = python("time.sleep(1000)", timeout: .milliseconds(300))
        let text = String(repeating: "x", count: 100_000)
        let reasons = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 {
                group.addTask { if case .failure(let failure) = await ask(deaf, text) { failure.reason } else { nil } }
            }
            return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(reasons == ["no answer in time"])
        await deaf.stop()
    }

    @Test("A flood of garbage ends the program, not the bus, and the next one answers")
    func flood() async throws {
        let folder = try TemporaryFolder()
        let peer = python(
            """
            marker = "\(folder.path("ran"))"
            if not os.path.exists(marker):
                open(marker, "w").close()
                sys.stderr.write("y" * 100000 + "\\n")
                while True: sys.stdout.write("z" * 5000 + "\\n{}\\n[]\\n")
            for line in sys.stdin: say(id=json.loads(line)["id"])
            """
        )
        var answers = 0
        for _ in 0..<20 { if case .success = await ask(peer) { answers += 1 } }
        #expect(answers >= 19)
        await peer.stop()
    }

    @Test("A line without an end is passed over, as is what answers nothing")
    func lines() {
        var buffer = LineBuffer(longest: 10)
        #expect(buffer.take(Array("ab".utf8)).lines.isEmpty)
        let (lines, tooLong) = buffer.take(Array("c\n\n12345678901234".utf8))
        #expect(lines.map { String(decoding: $0, as: UTF8.self) } == ["abc", ""])
        #expect(tooLong == 1)
        let rest = buffer.take(Array("56\nnext\n".utf8))
        #expect(rest.lines.map { String(decoding: $0, as: UTF8.self) } == ["next"])
        #expect(rest.tooLong == 0)
    }

    @Test("A program that is not there is a reason, not a wait for ever")
    func missing() async {
        let peer = peer(["/there/is/none"], timeout: .milliseconds(200))
        #expect(await peer.probe() == "'/there/is/none' does not run")
        guard case .failure(let failure) = await ask(peer) else {
            Issue.record("it answered")
            return
        }
        #expect(!failure.isAmbiguous)
        await peer.stop()
    }
}
