// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPClient
import JSON

/// A running bus, called as a bank does over REST.
struct BankClient {
    /// The bus did not do what was asked; the description is for whoever asked.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let url: String
    private let token: String?
    private let client: HTTPClient

    init(url: String, token: String?, authority: String?) throws {
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.token = token
        let roots = try authority.map { try SmallFile.read($0, atMost: 1 << 20) } ?? []
        client = HTTPClient(HTTPClientConfiguration(extraRoots: roots, concurrentRequests: 1))
    }

    /// Makes a call; returns the answer's body.
    func call(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        var writer = JSONWriter()
        if let body { writer.value(body) }
        let type = body == nil ? [] : [(name: "Content-Type", value: "application/json")]
        let bearer = token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        let response = try await client.send(
            HTTPClientRequest(method: method, url: url + path, headers: type + bearer, body: writer.bytes)
        )
        let answer = try? JSONValue(parsing: response.body)
        if (200..<300).contains(response.status), let answer { return answer }
        let reason = [answer?["code"]?.string, answer?["detail"]?.string].compactMap(\.self).joined(separator: ": ")
        throw Failure(description: reason.isEmpty ? "\(url) answered HTTP \(response.status)" : reason)
    }

    /// The statuses in an answer, in the order of the request.
    static func statuses(_ answer: JSONValue) -> [(user: String, status: String)] {
        answer["deliveryStatus"]?.object?.members.map { ($0.key, $0.value.string ?? "") } ?? []
    }

    /// A text as a part of a path.
    static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}
