// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import Synchronization
import Threads

/// Processes that read questions and write answers, one a line; each has a thread that looks after it.
final class ProcessPeer: ExternalPeer {
    private let workers: [ProcessWorker]
    private let lastID = Atomic<Int>(0)
    private let timeout: Duration

    /// `firstPause` is the wait before a program that ended is started again, in milliseconds; it doubles.
    init(
        _ command: [String],
        workers: Int,
        timeout: Duration,
        label: String,
        firstPause: Int64 = 1_000,
        log: Log
    ) {
        self.timeout = timeout
        self.workers = (1...workers).map {
            ProcessWorker(command, number: $0, label: label, firstPause: firstPause, log: log)
        }
    }

    func ask(_ question: (inout JSONWriter) -> Void) async -> Result<JSONValue, ExternalFailure> {
        let id = lastID.add(1, ordering: .relaxed).newValue
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("id")
        writer.integer(id)
        question(&writer)
        writer.endObject()
        let line = writer.bytes + [UInt8(ascii: "\n")]
        // The one with least to do.
        guard let worker = workers.min(by: { $0.load < $1.load }) else {
            return .failure(ExternalFailure(reason: "there is no process"))
        }
        let deadline = MonotonicTime.now().adding(milliseconds: Int64(timeout / .milliseconds(1)))
        return await withCheckedContinuation { continuation in
            worker.ask(ExternalQuestion(id: id, line: line, deadline: deadline) { continuation.resume(returning: $0) })
        }
    }

    func stop() async {
        for worker in workers { worker.stop() }
        for worker in workers { await worker.ended() }
    }

    func probe() async -> String? { await workers[0].probe() }
}

/// A question on its way to a process.
struct ExternalQuestion: Sendable {
    let id: Int
    let line: [UInt8]
    let deadline: MonotonicTime
    let answer: @Sendable (Result<JSONValue, ExternalFailure>) -> Void
}
