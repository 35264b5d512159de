// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite
import Testing

@testable import SQLiteStore

@Suite("What is known of a store's ability to write")
struct StoreHealthTests {
    private let health = StoreHealth(path: "/srv/busd/busd.db")

    private func measure(free: Int, of total: Int) {
        health.measured(bytes: 4_096, disk: DiskSpace(free: free, total: total))
    }

    @Test("Little room counts as none, until there is a little more than that")
    func low() {
        measure(free: 20 << 20, of: 100 << 30)
        #expect(health.refusal == nil && health.condition.problem == nil)
        measure(free: 16 << 20 - 1, of: 100 << 30)
        guard case .full(let words)? = health.refusal else {
            Issue.record("it must refuse")
            return
        }
        #expect(words == "its disk is nearly full, 16777215 bytes are free: make room in '/srv/busd'")
        #expect(health.condition.problem == words)
        measure(free: 17 << 20, of: 100 << 30)
        #expect(health.refusal != nil)
        measure(free: 20 << 20, of: 100 << 30)
        #expect(health.refusal == nil && health.condition.problem == nil)
    }

    @Test("A small disk is used to a fiftieth")
    func small() {
        measure(free: 1 << 20, of: 8 << 20)
        #expect(health.refusal == nil)
        measure(free: 100 << 10, of: 8 << 20)
        #expect(health.refusal != nil)
    }

    @Test("An I/O error without any room is a full disk; a success forgets it, and errors stay counted")
    func failures() {
        let error = SQLiteError(code: .ioError, message: "disk I/O error")
        measure(free: 1 << 30, of: 100 << 30)
        guard case .failed = health.failed(error) else {
            Issue.record("there is room")
            return
        }
        health.measured(bytes: 0, disk: DiskSpace(free: 4_096, total: 1 << 20))
        guard case .full = health.failed(error) else {
            Issue.record("there is none")
            return
        }
        #expect(health.isFailing && health.condition.errors == 2)
        health.wrote()
        #expect(!health.isFailing && health.condition.errors == 2)
    }

    @Test("A store whose file was moved away takes nothing new on until it is back")
    func away() {
        health.measured(bytes: 0, disk: nil, isAway: true)
        #expect(health.condition.problem?.contains("was moved, deleted or replaced while the bus runs") == true)
        #expect(health.refusal != nil)
        measure(free: 20 << 30, of: 100 << 30)
        #expect(health.refusal == nil && health.condition.problem == nil)
    }
}
