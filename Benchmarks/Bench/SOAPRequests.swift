// SPDX-License-Identifier: Apache-2.0

/// The users that notifications go to, and their devices.
enum Users {
    static func name(_ number: Int) -> String { "user" + padded(number) }

    /// 64 hex digits, as APNs gives them.
    static func token(_ number: Int) -> String { "5c0ffee" + String(repeating: "a", count: 50) + padded(number) }

    private static func padded(_ number: Int) -> String {
        let digits = String(number % 10_000_000)
        return String(repeating: "0", count: 7 - digits.count) + digits
    }

    /// A whole HTTP request that registers a user's device.
    static func registration(_ number: Int) -> [UInt8] {
        let user = name(number)
        let body = """
            {"appId":"retail","userId":"\(user)","deviceId":"device-\(user)","platform":"IOS","token":"\(token(number))"}
            """
        return HTTPText.post(BusUnderTest.mobilePath + "/devices", "application/json", Array(body.utf8))
    }
}

/// What a bank sends: notifications with random UUIDs, an envelope of 1 KB where there is one recipient.
struct SOAPRequests {
    static let text = "Payment of 1,250.00 RUB at a shop; available balance 48,310.55 RUB"
    private static let size = 1_024

    private let before: [UInt8]
    private let between: [UInt8]
    private let after: [UInt8]
    private let users: Int
    private let recipients: Int
    private var generator = SystemRandomNumberGenerator()

    /// Describes requests for so many recipients each, taken in turn.
    init(recipients: Int, users: Int) {
        self.recipients = recipients
        self.users = users
        let head = """
            <?xml version="1.0" encoding="UTF-8"?>
            <soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" \
            xmlns:in="http://inbound.sbi.pigeon.idamobile.com/"><soapenv:Body><in:sendNotification><notification>\
            <pushDetails><name>Payment</name><logoUrl>https://bank.example/logo.png</logoUrl><pushDescription>
            """
        let middle = """
            </pushDescription><tags><key>merchant</key><value>Shop</value></tags>\
            <amount><currency>RUB</currency><fxAmount>125000</fxAmount></amount></pushDetails>\
            <pushContent><badge>1</badge><sound>default</sound><text>\(Self.text)</text><type>UNIVERSAL</type>\
            </pushContent><timeout>86400</timeout><id>
            """
        let foot = "</notification></in:sendNotification></soapenv:Body></soapenv:Envelope>"
        let rest = "</id><recipients></recipients>".utf8.count + 36 + Users.name(0).utf8.count
        let padding = Self.size - head.utf8.count - middle.utf8.count - foot.utf8.count - rest
        before = Array((head + String(repeating: "x", count: max(0, padding)) + middle).utf8)
        between = Array("</id>".utf8)
        after = Array(foot.utf8)
    }

    /// What stands before an id and behind the recipients.
    var parts: (before: String, after: String) {
        (String(decoding: before, as: UTF8.self), String(decoding: after, as: UTF8.self))
    }

    /// Appends a whole HTTP request; its recipients follow those of the number before.
    mutating func append(_ number: Int, to request: inout [UInt8]) {
        var body = before
        appendIdentifier(to: &body)
        body += between
        for offset in 0..<recipients {
            body += "<recipients>".utf8
            body += Users.name((number * recipients + offset) % users).utf8
            body += "</recipients>".utf8
        }
        body += after
        HTTPText.post(BusUnderTest.soapPath, "text/xml; charset=utf-8", body, to: &request)
    }

    /// A whole HTTP request for a one-time code.
    static func code(_ number: Int, to user: String) -> [UInt8] {
        let body = """
            <?xml version="1.0" encoding="UTF-8"?>
            <soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" \
            xmlns:in="http://inbound.sbi.pigeon.idamobile.com/"><soapenv:Body><in:sendNotification><notification>\
            <pushContent><badge>1</badge><text>Code \(100_000 + number)</text><type>PIN_CODE</type><target>1</target>\
            </pushContent><timeout>120</timeout><id>\(CodeReceipts.prefix)\(number)</id>\
            <recipients>\(user)</recipients></notification></in:sendNotification></soapenv:Body></soapenv:Envelope>
            """
        return HTTPText.post(BusUnderTest.soapPath, "text/xml; charset=utf-8", Array(body.utf8))
    }

    /// A random UUID of version 4 in its canonical form.
    private mutating func appendIdentifier(to bytes: inout [UInt8]) {
        let high = generator.next() & ~0xf000 | 0x4000
        let low = generator.next() & ~(3 << 62) | (2 << 62)
        for index: UInt64 in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 { bytes.append(UInt8(ascii: "-")) }
            let word = index < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word >> (60 - index % 16 * 4) & 15)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}

/// HTTP/1.1 as the load client writes it.
enum HTTPText {
    static func post(_ path: String, _ type: String, _ body: [UInt8], to request: inout [UInt8]) {
        request +=
            """
            POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n
            """.utf8
        request += body
    }

    static func post(_ path: String, _ type: String, _ body: [UInt8]) -> [UInt8] {
        var request: [UInt8] = []
        post(path, type, body, to: &request)
        return request
    }
}
