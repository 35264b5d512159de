// SPDX-License-Identifier: Apache-2.0

import Bus
import Glibc
import JSON
import Threads

/// What a worker's thread does; its own.
final class ProcessLoop {
    /// The longest line of an answer, and of what goes into the log, in bytes.
    private static let longestAnswer = 4 << 20
    private static let longestNote = 1_000
    /// Lines of standard error that go into the log in a second at most.
    private static let notesASecond = 20
    /// Lines that are no answers, one after the other, after which the process is started anew.
    private static let mostGarbage = 1_000
    /// How long the process has to end by itself once no more comes, in milliseconds.
    private static let farewell: Int64 = 2_000
    /// The longest wait before the process is started again, in milliseconds; from a second on it doubles.
    private static let longestPause: Int64 = 30_000

    private let command: [String]
    private let inbox: Inbox<ProcessWorker.Message>
    private let release: () -> Void
    private let log: Log
    private let firstPause: Int64
    private var child: ChildProcess?
    private var questions: [Int: ExternalQuestion] = [:]
    /// Questions that are not written yet, and how much of the first is.
    private var unwritten: [ExternalQuestion] = []
    private var written = 0
    private var answers = LineBuffer(longest: longestAnswer)
    private var notes = LineBuffer(longest: longestNote)
    private var noteLimit = NoteLimit(perSecond: notesASecond)
    private var garbage = 0
    /// Starts that came to nothing, one after the other, and when the next may be.
    private var failures = 0
    private var notBefore = MonotonicTime.distantPast
    private var stopsAt: MonotonicTime?

    init(
        _ command: [String],
        inbox: Inbox<ProcessWorker.Message>,
        waiting release: @escaping () -> Void,
        firstPause: Int64,
        log: Log
    ) {
        self.command = command
        self.inbox = inbox
        self.release = release
        self.log = log
        self.firstPause = firstPause
    }

    func run() {
        while true {
            let messages = inbox.take(sleeps: true)
            let now = MonotonicTime.now()
            for message in messages { take(message, at: now) }
            expire(at: now)
            if isDone(at: now) { break }
            if child == nil, !questions.isEmpty, notBefore <= now { start(at: now) }
            write()
            poll(at: now, isBusy: !messages.isEmpty)
        }
        if let child { _ = child.end() }
        for message in inbox.close() {
            if case .ask(let question) = message {
                answer(question, .failure(ExternalFailure(reason: "it is stopped")))
            }
            if case .probe(let reply) = message { reply("it is stopped") }
        }
    }

    private func take(_ message: ProcessWorker.Message, at now: MonotonicTime) {
        switch message {
        case .ask(let question):
            questions[question.id] = question
            unwritten.append(question)
        case .probe(let reply):
            if child == nil, notBefore <= now { start(at: now) }
            reply(child == nil ? "'\(command.first ?? "")' does not run" : nil)
        case .stop:
            stopsAt = now.adding(milliseconds: Self.farewell)
            if questions.isEmpty { child?.closeInput() }
        }
    }

    private func isDone(at now: MonotonicTime) -> Bool {
        guard let stopsAt else { return false }
        if questions.isEmpty {
            child?.closeInput()
            if child == nil || child?.hasEnded == true { return true }
        }
        guard stopsAt <= now else { return false }
        for question in Array(questions.values) {
            answer(question, .failure(ExternalFailure(reason: "it is stopped", isAmbiguous: true)))
        }
        return true
    }

    // MARK: The process

    private func start(at now: MonotonicTime) {
        do throws(ExternalFailure) {
            child = try ChildProcess(command)
            answers = LineBuffer(longest: Self.longestAnswer)
            notes = LineBuffer(longest: Self.longestNote)
            garbage = 0
        } catch {
            pause(at: now)
            log.error("an external program cannot be started", ["reason": error.reason])
        }
    }

    /// The process is gone, or is sent away: what it had is not answered any more, the rest waits for the next one.
    private func lose(_ why: String, at now: MonotonicTime) {
        guard let lost = child else { return }
        child = nil
        readNotes(of: lost)
        let end = lost.end()
        pause(at: now)
        if stopsAt == nil {
            log.warning("an external program ended; it is started again", ["reason": "\(why): \(end)"])
        }
        let waiting = Set(unwritten.dropFirst(written > 0 ? 1 : 0).map(\.id))
        if written > 0 { unwritten.removeFirst() }
        written = 0
        for question in Array(questions.values) where !waiting.contains(question.id) {
            answer(question, .failure(ExternalFailure(reason: "the program ended", isAmbiguous: true)))
        }
    }

    private func pause(at now: MonotonicTime) {
        notBefore = now.adding(milliseconds: min(Self.longestPause, firstPause << Int64(min(failures, 5))))
        failures += 1
    }

    // MARK: In and out

    private func write() {
        guard let child, child.input >= 0 else { return }
        while let question = unwritten.first {
            let count = question.line.withUnsafeBytes { bytes in
                Glibc.write(child.input, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            }
            guard count > 0 else { return }
            written += count
            guard written == question.line.count else { return }
            unwritten.removeFirst()
            written = 0
        }
    }

    private func poll(at now: MonotonicTime, isBusy: Bool) {
        var waits = [pollfd(fd: inbox.bell, events: Int16(POLLIN), revents: 0)]
        if let child {
            waits.append(pollfd(fd: child.output, events: Int16(POLLIN), revents: 0))
            waits.append(pollfd(fd: child.errors, events: Int16(POLLIN), revents: 0))
            if !unwritten.isEmpty, child.input >= 0 {
                waits.append(pollfd(fd: child.input, events: Int16(POLLOUT), revents: 0))
            }
        }
        _ = Glibc.poll(&waits, nfds_t(waits.count), isBusy ? 0 : timeout(at: now))
        var rings: UInt64 = 0
        if waits[0].revents != 0 { _ = Glibc.read(inbox.bell, &rings, 8) }
        guard let child else { return }
        if waits[2].revents != 0 { readNotes(of: child) }
        if waits[1].revents != 0 { readAnswers(of: child) }
    }

    /// Until something is due, in milliseconds; -1 for ever.
    private func timeout(at now: MonotonicTime) -> Int32 {
        var next = questions.values.map(\.deadline).min() ?? .distantFuture
        if child == nil, !questions.isEmpty { next = min(next, notBefore) }
        if let stopsAt { next = min(next, stopsAt, now.adding(milliseconds: 20)) }
        guard next != .distantFuture else { return -1 }
        return Int32(clamping: max(0, next.milliseconds(since: now)) + 1)
    }

    private func readAnswers(of child: ChildProcess) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = Glibc.read(child.output, &buffer, buffer.count)
        let now = MonotonicTime.now()
        guard count != 0 else { return lose("it closed its output", at: now) }
        guard count > 0 else { return }
        let (lines, tooLong) = answers.take(buffer.prefix(count))
        garbage += tooLong
        for line in lines where !line.isEmpty { take(line) }
        if garbage > Self.mostGarbage { lose("what it writes is no answers", at: now) }
    }

    private func take(_ line: [UInt8]) {
        guard let json = try? JSONValue(parsing: line), let id = json["id"]?.integer,
            let question = questions[Int(clamping: id)]
        else {
            garbage += 1
            if noteLimit.takes(at: .now()) { log.warning("an external program wrote what answers no question") }
            return
        }
        garbage = 0
        failures = 0
        answer(question, .success(json))
    }

    private func readNotes(of child: ChildProcess) {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = Glibc.read(child.errors, &buffer, buffer.count)
        guard count > 0 else { return }
        for line in notes.take(buffer.prefix(count)).lines where !line.isEmpty && noteLimit.takes(at: .now()) {
            log.info("an external program says", ["text": String(decoding: line, as: UTF8.self)])
        }
    }

    // MARK: Answers

    private func answer(_ question: ExternalQuestion, _ result: Result<JSONValue, ExternalFailure>) {
        guard questions.removeValue(forKey: question.id) != nil || stopsAt != nil else { return }
        release()
        question.answer(result)
    }

    /// Gives up what was not answered in time; what was not written yet is not written any more.
    private func expire(at now: MonotonicTime) {
        for question in questions.values where question.deadline <= now {
            let place = unwritten.firstIndex { $0.id == question.id }
            // One that is half written has to be written whole, or the program would read nonsense.
            let isHalf = place == 0 && written > 0
            if let place, !isHalf { unwritten.remove(at: place) }
            let isWritten = place == nil || isHalf
            answer(question, .failure(ExternalFailure(reason: "no answer in time", isAmbiguous: isWritten)))
        }
    }
}
