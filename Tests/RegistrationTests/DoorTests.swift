// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Synchronization
import TestSupport
import Testing

@Suite("A module's door", .timeLimit(.minutes(1)))
struct DoorTests {
    private let lines = Lines()

    private final class Lines: Sendable {
        private let all = Mutex<[String]>([])
        var log: Log {
            Log(minimum: .info) { level, message, fields in
                let fields = fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
                self.all.withLock { $0.append("\(level) \(message) \(fields)") }
            }
        }
        var text: [String] { all.withLock { $0 } }
    }

    private func call(from last: UInt32) -> HTTPRequest {
        var request = HTTPRequest(method: "POST", path: "/bank/+79001234567")
        request.peer.setAddress(version4: (0x0a00_0000 + last).bigEndian)
        return request
    }

    @Test("counts whom it turned away by reason, and logs address and place, and no name")
    func counts() {
        let door = Door(label: "rest_bank", callers: Door.Callers(), log: lines.log)
        #expect(door.refusedCalls.isEmpty)
        for _ in 0..<30 { _ = door.refused(call(from: 7), at: "/bank", because: .wrong) }
        _ = door.refused(call(from: 8), at: "/bank", because: .missing)
        #expect(
            door.refusedCalls.map { "\($0.reason.rawValue) \($0.count)" } == [
                "no_credentials 1", "wrong_credentials 30",
            ]
        )
        let expected = "warning a call was refused reason=wrong_credentials peer=10.0.0.7 method=POST path=/bank"
        #expect(lines.text.first == "\(expected) moreSinceLastLine=0")
        #expect(lines.text.count { $0.contains("10.0.0.8") } == 1)
        #expect(!lines.text.joined().contains("7900"))
    }

    @Test("has those who guess at any door of the pipeline wait, and nobody else")
    func waits() {
        let callers = Door.Callers()
        let first = Door(label: "a", callers: callers, log: .silent)
        let second = Door(label: "b", callers: callers, log: .silent)
        let delays = (0..<20).map { ($0 % 2 == 0 ? first : second).refused(call(from: 7), at: "/", because: .wrong) }
        #expect(delays.first == .zero)
        #expect(delays.last == .seconds(2))
        #expect(first.refused(call(from: 8), at: "/", because: .wrong) == .zero)
        var neighbour = HTTPRequest(method: "GET", path: "/")
        var other = neighbour
        neighbour.peer.setAddress(version6: 1, 2)
        other.peer.setAddress(version6: 1, 3)
        for _ in 0..<10 { _ = first.refused(neighbour, at: "/", because: .wrong) }
        #expect(first.refused(other, at: "/", because: .wrong) > .zero)
        #expect(other.peer.network.hasSuffix("/64"))
    }
}
