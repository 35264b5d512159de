// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import JSON
import Threads

/// What operators see of addresses in quarantine, and decide about them.
///
/// `GET /quarantine`, `POST /quarantine/{pipeline}/{channel}/release` and `…/confirm`.
struct QuarantineRoutes: Sendable {
    let state: NodeState

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard let parts = request.segments(after: "/quarantine") else { return notFound }
        if request.method == "GET" { return parts.isEmpty ? await list() : notFound }
        guard parts.count == 3, let decision = Decision(rawValue: parts[2]),
            let pipeline = state.runners.first(where: { $0.pipeline.name == parts[0] })?.pipeline
        else { return notFound }
        return await decide(decision, channel: parts[1], of: pipeline)
    }

    private enum Decision: String { case release, confirm }

    private func decide(_ decision: Decision, channel: String, of pipeline: Pipeline) async -> HTTPResponse {
        let result =
            switch decision {
            case .release: await pipeline.releaseQuarantine(of: channel)
            case .confirm: await pipeline.confirmQuarantine(of: channel)
            }
        switch result {
        case .failure(let error): return HTTPResponse(status: 503, text: "the store failed: \(error)")
        case .success(let count):
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("count")
            writer.integer(count)
            writer.endObject()
            return HTTPResponse(status: 200, contentType: "application/json", body: writer.bytes)
        }
    }

    private func list() async -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("quarantine")
        writer.beginArray()
        for pipeline in state.runners.map(\.pipeline) {
            switch await pipeline.quarantined() {
            case .failure(let error): return HTTPResponse(status: 503, text: "the store failed: \(error)")
            case .success(let summaries): for summary in summaries { write(summary, pipeline.name, to: &writer) }
            }
        }
        writer.endArray()
        writer.endObject()
        return HTTPResponse(status: 200, contentType: "application/json", body: writer.bytes)
    }

    private func write(_ summary: QuarantineSummary, _ pipeline: String, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("pipeline")
        writer.string(pipeline)
        writer.key("channel")
        writer.string(summary.channel)
        writer.key("reason")
        writer.string(summary.reason)
        writer.key("count")
        writer.integer(summary.count)
        writer.key("first")
        writer.string(Timestamp.text(summary.first))
        writer.key("last")
        writer.string(Timestamp.text(summary.last))
        writer.endObject()
    }

    private var notFound: HTTPResponse { HTTPResponse(status: 404, text: "no such quarantine") }
}
