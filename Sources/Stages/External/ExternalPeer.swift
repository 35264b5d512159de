// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPClient
import JSON
import Synchronization

/// The program or service in another language: takes a question, gives an answer.
protocol ExternalPeer: Sendable {
    /// Asks; `question` are the members of the object beside its id.
    func ask(_ question: (inout JSONWriter) -> Void) async -> Result<JSONValue, ExternalFailure>
    /// Ends when everything is answered or given up.
    func stop() async
    /// What is wrong with it, for operators; `nil` where nothing is.
    func probe() async -> String?
}

/// Why there is no answer.
struct ExternalFailure: Error, Equatable {
    /// In words for operators; never what was asked or answered.
    let reason: String
    /// Whether the question may have been taken.
    var isAmbiguous = false
}

extension ExternalSettings {
    /// Starts nothing before it is asked.
    func peer(label: String, log: Log) -> any ExternalPeer {
        switch place {
        case .command(let command): ProcessPeer(command, workers: workers, timeout: timeout, label: label, log: log)
        case .url(let url): ServicePeer(url: url, timeout: timeout)
        }
    }
}

/// A service over HTTP: one POST a question.
final class ServicePeer: ExternalPeer {
    private let url: String
    private let timeout: Duration
    private let client = HTTPClient(HTTPClientConfiguration(waitingRequests: 1_024), name: "external")
    private let lastID = Atomic<Int>(0)

    init(url: String, timeout: Duration) {
        self.url = url
        self.timeout = timeout
    }

    func ask(_ question: (inout JSONWriter) -> Void) async -> Result<JSONValue, ExternalFailure> {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("id")
        writer.integer(lastID.add(1, ordering: .relaxed).newValue)
        question(&writer)
        writer.endObject()
        let request = HTTPClientRequest(
            method: "POST",
            url: url,
            headers: [("Content-Type", "application/json")],
            body: writer.bytes,
            connectLimit: timeout,
            timeLimit: timeout
        )
        do throws(HTTPClientError) {
            let answer = try await client.send(request)
            guard answer.status == 200 else {
                return .failure(
                    ExternalFailure(reason: "the service answered HTTP \(answer.status)", isAmbiguous: true)
                )
            }
            guard let json = try? JSONValue(parsing: answer.body) else {
                return .failure(ExternalFailure(reason: "the service's answer is not JSON", isAmbiguous: true))
            }
            return .success(json)
        } catch {
            return .failure(ExternalFailure(reason: error.description, isAmbiguous: true))
        }
    }

    func stop() async { client.stop() }

    func probe() async -> String? {
        var request = HTTPClientRequest(url: url, connectLimit: timeout, timeLimit: timeout)
        request.onlyConnects = true
        do throws(HTTPClientError) {
            _ = try await client.send(request)
            return nil
        } catch {
            return error.description
        }
    }
}
