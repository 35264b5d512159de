// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

@testable import HTTPServer

struct ConnectionBookTests {
    private static let limits = ConnectionLimits(
        all: 64,
        perAddress: 40,
        memory: 16 << 10,
        idleSeconds: 60,
        headSeconds: 10,
        bodySeconds: 120
    )

    private static func machine(_ number: UInt32) -> PeerAddress { .version4((0x0a00_0000 + number).bigEndian) }
    private static func at(_ seconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: 1_000_000_000_000).adding(milliseconds: seconds * 1_000)
    }

    private func taken(_ admission: ConnectionBook.Admission) -> (Connection, giveWay: Connection?)? {
        if case .taken(let connection, let victim) = admission { (connection, victim) } else { nil }
    }

    @Test func oneAddressHasItsBoundAndThisMachineHasNone() {
        var book = ConnectionBook(limits: Self.limits)
        for number in 0..<40 {
            #expect(taken(book.admit(Int32(number), from: Self.machine(1), now: Self.at(0))) != nil)
        }
        guard case .tooManyOfAddress = book.admit(40, from: Self.machine(1), now: Self.at(0)) else {
            Issue.record("the 41st was taken")
            return
        }
        book.remove(7)
        #expect(taken(book.admit(40, from: Self.machine(1), now: Self.at(0))) != nil)
        var own = ConnectionBook(limits: Self.limits)
        let loopback = PeerAddress.version4(UInt32(0x7f00_0001).bigEndian)
        for number in 0..<50 { #expect(taken(own.admit(Int32(number), from: loopback, now: Self.at(0))) != nil) }
    }

    @Test func whoHoldsFewComesInAndWhoHoldsMostGivesWayByTheLongestWaiting() throws {
        var book = ConnectionBook(limits: Self.limits)
        for number in 0..<40 {
            let time = Self.at(number == 17 ? -5 : Int64(number))
            let connection = try #require(taken(book.admit(Int32(number), from: Self.machine(1), now: time))?.0)
            if number == 17 { connection.enter(.running, now: time) }
        }
        for number in 40..<56 { _ = book.admit(Int32(number), from: Self.machine(2), now: Self.at(-100)) }
        // The last eighth is for those who hold few: machine 2 displaces, machine 3 does not.
        let many = try #require(taken(book.admit(56, from: Self.machine(2), now: Self.at(50))))
        #expect(many.giveWay?.descriptor == 0)
        book.remove(0)
        for number in 57..<65 {
            let few = try #require(
                taken(book.admit(Int32(number), from: Self.machine(UInt32(number)), now: Self.at(50)))
            )
            #expect(few.giveWay == nil)
        }
        let last = try #require(taken(book.admit(65, from: Self.machine(99), now: Self.at(50))))
        #expect(last.giveWay?.descriptor == 1)
    }

    @Test func whoBroughtARequestGivesWayLast() throws {
        var book = ConnectionBook(limits: Self.limits)
        for number in 0..<56 {
            let connection = taken(book.admit(Int32(number), from: .unknown, now: Self.at(Int64(number))))?.0
            if number != 30 { connection?.enter(.running, now: Self.at(Int64(number))) }
            connection?.enter(.idle, now: Self.at(Int64(number)))
        }
        let next = (56..<59).map { taken(book.admit(Int32($0), from: .unknown, now: Self.at(60)))?.giveWay?.descriptor }
        #expect(next == [30, 56, 57])
    }

    @Test func nobodyGivesWayWhoseRequestRuns() {
        var book = ConnectionBook(limits: Self.limits)
        for number in 0..<64 {
            let admitted = taken(book.admit(Int32(number), from: Self.machine(UInt32(number)), now: Self.at(0)))
            admitted?.0.enter(.running, now: Self.at(0))
        }
        guard case .full = book.admit(64, from: Self.machine(64), now: Self.at(0)) else {
            Issue.record("it was taken")
            return
        }
    }

    @Test func clientsHaveTheirTimeFromTheFirstByteAndNotFromTheLast() throws {
        var book = ConnectionBook(limits: Self.limits)
        let connection = try #require(taken(book.admit(1, from: Self.machine(1), now: Self.at(0)))?.0)
        #expect(book.overdue(now: Self.at(59)).isEmpty)
        connection.enter(.head, now: Self.at(59))
        for second in Int64(60)..<68 { connection.enter(.head, now: Self.at(second)) }
        #expect(book.overdue(now: Self.at(68)).isEmpty)
        #expect(book.overdue(now: Self.at(69)).map(\.descriptor) == [1])
        #expect(book.overdue(now: Self.at(70)).isEmpty)
        book.remove(1)
        #expect(book.count == 0)
    }

    @Test func aDescriptorThatComesAgainWasClosed() {
        var book = ConnectionBook(limits: Self.limits)
        for _ in 0..<100 { #expect(taken(book.admit(5, from: Self.machine(1), now: Self.at(0))) != nil) }
        #expect(book.count == 1)
    }
}
