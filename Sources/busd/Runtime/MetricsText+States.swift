// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// How channels, bank links and the store are, as gauges.
extension MetricsText {
    private static let states = ["working", "paused", "suspended", "in_doubt"]

    /// Channels and bank links: 1 at the state that each is in.
    static func states(
        _ runners: [PipelineRunner],
        _ reports: [(pipeline: String, report: DispatchReport)]
    ) async -> String {
        var samples: [(labels: String, value: Int)] = []
        func add(_ pipeline: String, _ label: String, isPaused: Bool, isSuspended: Bool, isInDoubt: Bool = false) {
            let current = isPaused ? "paused" : isSuspended ? "suspended" : isInDoubt ? "in_doubt" : "working"
            for state in states {
                let labels = "pipeline=\"\(pipeline)\",channel=\"\(label)\",state=\"\(state)\""
                samples.append((labels, state == current ? 1 : 0))
            }
        }
        for (pipeline, report) in reports {
            for channel in report.channels {
                add(
                    pipeline,
                    channel.label,
                    isPaused: channel.isPaused,
                    isSuspended: channel.isSuspended,
                    isInDoubt: channel.isInDoubt
                )
            }
        }
        var waiting: [(labels: String, value: Int)] = []
        for pipeline in runners.map(\.pipeline) {
            for link in await pipeline.callbacks.inspect() {
                add(pipeline.name, link.label, isPaused: link.isPaused, isSuspended: link.isSuspended)
            }
            for (link, count) in await pipeline.callbacks.waiting() {
                waiting.append(("pipeline=\"\(pipeline.name)\",link=\"\(link)\"", count))
            }
        }
        return family("busd_channel_state", "gauge", "1 at the state of a channel or bank link.", samples)
            + family(
                "busd_callbacks_waiting",
                "gauge",
                "Callbacks that a bank is still to hear, counted to 100000.",
                waiting
            )
    }

    static func store(_ store: StoreCondition) -> String {
        let room = store.freeBytes.map { [("", $0)] } ?? []
        return family(
            "busd_store_errors_total",
            "counter",
            "Transactions that could not be written.",
            [("", store.errors)]
        )
            + family("busd_store_bytes", "gauge", "Bytes of the store's files.", [("", store.bytes)])
            + family("busd_store_free_bytes", "gauge", "Bytes that the store's disk has left.", room)
    }
}
