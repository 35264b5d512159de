// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import Threads

/// The HTTP/2 client alone: sends the pushes that the bus would send, with nothing in front of it.
enum BareSender {
    static let name = "bare-sender"

    /// What to send where.
    struct Order {
        let port: UInt16
        let authority: String
        let count: Int
        /// Pushes with one body and one set of headers: the recipients of one notification.
        let recipients: Int

        init(port: UInt16, authority: String, count: Int, recipients: Int) {
            self.port = port
            self.authority = authority
            self.count = count
            self.recipients = recipients
        }

        init(arguments: [String]) throws {
            guard arguments.count == 4, let port = UInt16(arguments[0]), let count = Int(arguments[2]),
                let recipients = Int(arguments[3])
            else { throw BenchFailure("the sender was started without its order") }
            self.init(port: port, authority: arguments[1], count: count, recipients: recipients)
        }

        var arguments: [String] { [BareSender.name, "\(port)", authority, "\(count)", "\(recipients)"] }
    }

    /// Pushes under way at most, as many as the bus allows itself.
    private static let flights = 4_096

    /// Sends all, says how many were accepted, and waits for the end of its input, so that it can be measured.
    static func send(_ order: Order) throws {
        let roots = Array(try SystemText.read(order.authority).utf8)
        let tls = HTTP2ClientTLS(extraRoots: roots)
        var configuration = HTTP2PoolConfiguration(host: "127.0.0.1", port: order.port, tls: tls)
        configuration.wantedHeaders = ["apns-id"]
        let answers = Mailbox<Int>(capacity: .max)
        let pool = try HTTP2Pool(on: .shared, configuration) { results in
            answers.postAlways(results.filter(\.isAccepted).count)
        }
        var writer = Writer(order)
        var accepted = 0
        while accepted < order.count {
            while writer.written < order.count, writer.written - accepted + order.recipients <= flights {
                pool.submit(writer.batch())
            }
            guard let news = answers.take(until: .now().adding(milliseconds: 20_000)), !news.isEmpty else {
                throw BenchFailure("the sender got \(accepted) of \(order.count) answers")
            }
            accepted += news.reduce(0, +)
        }
        Output.line("\(accepted)")
        while readLine() != nil {}
    }

    /// Makes the requests, a notification's at a time.
    private struct Writer {
        let order: Order
        var written = 0
        private let token = "bearer " + String(repeating: "x", count: 200)
        private let letterhead: HTTP2HeaderList

        init(_ order: Order) {
            self.order = order
            letterhead = HTTP2HeaderList(Self.fixed(token))
        }

        mutating func batch() -> [HTTP2Request] {
            let number = written / order.recipients
            let body = PushText.body(number)
            let shared = order.recipients > 1 ? HTTP2HeaderList(Self.fixed(token) + Self.own(number, true)) : letterhead
            let extra = order.recipients > 1 ? [] : Self.own(number, false)
            let deadline = MonotonicTime.now().adding(nanoseconds: 60_000_000_000)
            let requests = (0..<order.recipients).map { offset in
                let push = written + offset
                return HTTP2Request(
                    tag: UInt64(push),
                    path: "/3/device/\(Users.token(push))",
                    headers: shared,
                    ownHeaders: [HTTP2Header("apns-id", PushText.identifier(push), isIndexed: false)] + extra,
                    body: body,
                    deadline: deadline
                )
            }
            written += requests.count
            return requests
        }

        private static func fixed(_ token: String) -> [HTTP2Header] {
            [
                HTTP2Header("authorization", token), HTTP2Header("apns-topic", "com.example.bank"),
                HTTP2Header("apns-push-type", "alert"), HTTP2Header("apns-priority", "10"),
            ]
        }

        private static func own(_ number: Int, _ isIndexed: Bool) -> [HTTP2Header] {
            [
                HTTP2Header("apns-collapse-id", PushText.identifier(number), isIndexed: isIndexed),
                HTTP2Header("apns-expiration", "\(1_900_000_000 + number)", isIndexed: isIndexed),
            ]
        }
    }
}

/// What a push carries.
private enum PushText {
    static func body(_ number: Int) -> [UInt8] {
        Array(
            """
            {"aps":{"alert":{"title":"Payment","body":"\(SOAPRequests.text)"},"badge":1,"sound":"default"},\
            "notificationId":"\(identifier(number))","type":"UNIVERSAL","details":true}
            """.utf8
        )
    }

    static func identifier(_ number: Int) -> String {
        let digits = String(number)
        return "3f2c8a10-5b7e-4d21-9c3a-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}

extension HTTP2Result {
    fileprivate var isAccepted: Bool {
        if case .response(let response) = outcome { return response.status == 200 }
        return false
    }
}
