// SPDX-License-Identifier: Apache-2.0

import Bus
import Glibc
import JSON
import Synchronization
import Threads

/// One process, kept running: a thread starts it, writes to it, reads from it and gives up what it does not answer.
final class ProcessWorker: Sendable {
    enum Message: Sendable {
        case ask(ExternalQuestion)
        case probe(@Sendable (String?) -> Void)
        case stop
    }

    /// Questions without an answer at most.
    private static let bound = 1_024

    private let inbox = Inbox<Message>()
    private let waiting = Atomic<Int>(0)
    private let gone = Gate()

    init(_ command: [String], number: Int, label: String, firstPause: Int64, log: Log) {
        let log = log.with("worker", "\(number)")
        _ = NamedThread("ext-\(label)") { [self] in
            let loop = ProcessLoop(
                command,
                inbox: inbox,
                waiting: { self.waiting.subtract(1, ordering: .relaxed) },
                firstPause: firstPause,
                log: log
            )
            loop.run()
            gone.open()
        }
    }

    /// Questions without an answer.
    var load: Int { waiting.load(ordering: .relaxed) }

    /// Takes a question; the answer comes on the worker's thread, or at once where there is no room.
    func ask(_ question: ExternalQuestion) {
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.bound else {
            waiting.subtract(1, ordering: .relaxed)
            return question.answer(.failure(ExternalFailure(reason: "\(Self.bound) questions wait already")))
        }
        guard inbox.post(.ask(question)) else {
            waiting.subtract(1, ordering: .relaxed)
            return question.answer(.failure(ExternalFailure(reason: "it is stopped")))
        }
    }

    /// Starts the program where it does not run; says what is wrong.
    func probe() async -> String? {
        await withCheckedContinuation { continuation in
            if !inbox.post(.probe { continuation.resume(returning: $0) }) {
                continuation.resume(returning: "it is stopped")
            }
        }
    }

    func stop() { _ = inbox.post(.stop) }

    func ended() async { await gone.wait() }
}
