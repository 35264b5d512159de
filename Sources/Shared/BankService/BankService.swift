// SPDX-License-Identifier: Apache-2.0

public import Bus
public import HTTPClient
import Threads

/// A bank's service that is called over HTTP, whatever language it speaks.
public final class BankService: Sendable {
    private static let largestAnswer = 256 << 10

    private let url: String
    private let timeout: Duration
    // Apart, so that nobody who registers waits behind events that a slow bank holds up.
    private let asking: HTTPClient
    private let telling: HTTPClient

    /// A file that was fine at the check, and is not any more.
    public struct LoadError: Error, CustomStringConvertible {
        /// What is wrong, for operators.
        public let description: String

        /// Says what is wrong.
        public init(_ description: String) { self.description = description }
    }

    /// Reads the file that the settings name; connects when there is something to say.
    public init(
        _ settings: BankServiceSettings,
        identity: HTTPClientConfiguration.Identity? = nil
    ) throws(LoadError) {
        url = settings.url
        timeout = settings.timeout
        let roots = if let ca = settings.ca { try Self.read(ca) } else { [] as [UInt8] }
        func client(_ name: String, concurrent: Int, waiting: Int) -> HTTPClient {
            HTTPClient(
                HTTPClientConfiguration(
                    extraRoots: roots,
                    identity: identity,
                    concurrentRequests: concurrent,
                    waitingRequests: waiting
                ),
                name: name
            )
        }
        asking = client("bank-ask", concurrent: 64, waiting: 1_000)
        telling = client("bank-tell", concurrent: 16, waiting: 10_000)
    }

    /// Reads a small file that settings name.
    public static func read(_ path: FilePath) throws(LoadError) -> [UInt8] {
        do throws(SmallFile.ReadError) { return try SmallFile.read(path.resolved, atMost: 1 << 20) } catch {
            throw LoadError("\(path.written) cannot be read: \(error.reason)")
        }
    }

    /// Asks a question, at a path below the service's URL.
    ///
    /// - Throws: ``BankLinkError/unreachable(_:)`` where there is no answer of any kind.
    public func ask(
        _ path: String = "",
        headers: [(name: String, value: String)],
        body: [UInt8]
    ) async throws(BankLinkError) -> HTTPClientResponse {
        do throws(HTTPClientError) {
            // Twice would be two text messages to the customer, or a code that is spent.
            return try await asking.send(request(path, headers, body, isSentOnce: true))
        } catch {
            throw .unreachable(error.description)
        }
    }

    /// Tells something; `judge` says what follows from the answer.
    public func tell(
        headers: [(name: String, value: String)],
        body: [UInt8],
        judge: (HTTPClientResponse) -> Outcome
    ) async -> Outcome {
        do throws(HTTPClientError) {
            return judge(try await telling.send(request("", headers, body, isSentOnce: false)))
        } catch {
            switch error.code {
            case .invalidRequest, .notTrusted: return .unavailable(reason: error.description)
            default: return .retry(after: nil, scope: .provider, reason: error.description)
            }
        }
    }

    /// Connects, and sends nothing; returns what is wrong, in words for an operator.
    public func probe() async -> String? {
        var request = request("", [], [], isSentOnce: true)
        request.onlyConnects = true
        do throws(HTTPClientError) {
            _ = try await asking.send(request)
            return nil
        } catch {
            return error.description
        }
    }

    /// What follows from an answer's status, and from whether something in it says that it is about this event only.
    ///
    /// A bank is told until it answers 2xx, so nothing is ever rejected here: what is wrong with one event holds up
    /// that event, what is wrong with the bank all of them, and what is wrong with us waits for the operator. Where
    /// the language has more to say than a status, `isTaken` tells that a 2xx is no yes.
    public static func outcome(
        _ response: HTTPClientResponse,
        reason: String,
        isTaken: Bool = true,
        isAboutOneEvent: Bool = false
    ) -> Outcome {
        let now = WallTime.now()
        let after = response.headers["Retry-After"].flatMap {
            RetryAfter.milliseconds($0, answered: response.headers["Date"], now: now)
        }
        switch response.status {
        case 200..<300 where isTaken: return .accepted
        case 300..<400, 401, 403...405, 407: return .unavailable(reason: reason)
        case 200..<300, 408, 429, 500...:
            return .retry(after: after, scope: isAboutOneEvent ? .delivery : .provider, reason: reason)
        default: return .retry(after: after, scope: .delivery, reason: reason)
        }
    }

    private func request(
        _ path: String,
        _ headers: [(name: String, value: String)],
        _ body: [UInt8],
        isSentOnce: Bool
    ) -> HTTPClientRequest {
        HTTPClientRequest(
            method: "POST",
            url: url + path,
            headers: headers,
            body: body,
            connectLimit: min(timeout, .seconds(10)),
            timeLimit: timeout,
            responseLimit: Self.largestAnswer,
            isSentOnce: isSentOnce
        )
    }
}
