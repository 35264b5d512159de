// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// The counters in Prometheus' text format.
struct MetricsText {
    typealias Sample = (labels: String, value: Int)

    private var text = ""

    static func render(_ runners: [PipelineRunner], _ store: StoreCondition, admin: Door) async -> String {
        var reports: [(pipeline: String, report: DispatchReport)] = []
        for runner in runners {
            guard let report = await runner.pipeline.dispatcher.inspect() else { continue }
            reports.append((runner.pipeline.name, report))
        }
        var text = Self()
        text.addDeliveries(runners.map(\.pipeline.metrics))
        text.addSubscriptions(runners, waiting: await quarantined(runners))
        text.addCalls(runners, admin)
        text.addChannels(reports)
        text.add("busd_build_info", "gauge", "1, at this version.", [("version=\"\(Version.current)\"", 1)])
        return text.text + (await states(runners, reports)) + self.store(store)
    }

    /// What waits for an operator, by channel; nothing where the store does not answer.
    private static func quarantined(_ runners: [PipelineRunner]) async -> [Sample] {
        var samples: [Sample] = []
        for pipeline in runners.map(\.pipeline) {
            guard case .success(let summaries) = await pipeline.quarantined() else { continue }
            for channel in pipeline.metrics.channels {
                let count = summaries.filter { $0.channel == channel }.reduce(0) { $0 + $1.count }
                samples.append(("pipeline=\"\(pipeline.name)\",channel=\"\(channel)\"", count))
            }
        }
        return samples
    }

    private mutating func addDeliveries(_ metrics: [DeliveryMetrics]) {
        add(
            "busd_notifications_accepted_total",
            "counter",
            "Notifications on disk since the start.",
            metrics.map { ("pipeline=\"\($0.pipeline)\"", $0.accepted) }
        )
        add(
            "busd_deliveries_total",
            "counter",
            "Deliveries that reached a status since the start.",
            metrics.flatMap { metrics in
                metrics.ended().filter { $0.status != .queued }.map { entry in
                    let channel = entry.channel ?? "none"
                    let status = entry.status.rawValue.lowercased()
                    let labels = "pipeline=\"\(metrics.pipeline)\",channel=\"\(channel)\",status=\"\(status)\""
                    return (labels, entry.count)
                }
            }
        )
        add(
            "busd_pushes_total",
            "counter",
            "Attempts on one device or phone since the start, by what the channel said.",
            metrics.flatMap { metrics in
                metrics.pushes().map { entry in
                    let labels =
                        "pipeline=\"\(metrics.pipeline)\",channel=\"\(entry.channel)\",outcome=\"\(entry.outcome)\""
                    return (labels, entry.count)
                }
            }
        )
        add(
            "busd_queue_depth",
            "gauge",
            "Deliveries that wait, in memory and on disk.",
            metrics.flatMap { metrics in
                Queue.Lane.allCases.map { ("pipeline=\"\(metrics.pipeline)\",lane=\"\($0)\"", metrics.depth($0)) }
            }
        )
    }

    private mutating func addSubscriptions(_ runners: [PipelineRunner], waiting: [Sample]) {
        add(
            "busd_subscriptions_ended_total",
            "counter",
            "Subscriptions that ended since the start, by why.",
            runners.flatMap { runner in
                runner.pipeline.subscriptionEnds.totals().map { entry in
                    ("pipeline=\"\(runner.pipeline.name)\",reason=\"\(entry.reason.rawValue)\"", entry.count)
                }
            }
        )
        add("busd_quarantined", "gauge", "Subscriptions whose removal waits for an operator.", waiting)
        add(
            "busd_quarantined_total",
            "counter",
            "Verdicts put in quarantine since the start: too many tokens at once were called dead.",
            runners.map(\.pipeline.metrics).flatMap { metrics in
                zip(metrics.channels, metrics.quarantined).map {
                    ("pipeline=\"\(metrics.pipeline)\",channel=\"\($0)\"", $1)
                }
            }
        )
    }

    private mutating func addCalls(_ runners: [PipelineRunner], _ admin: Door) {
        add(
            "busd_callbacks_total",
            "counter",
            "Calls to banks since the start, by what they came to.",
            runners.flatMap { runner in
                runner.pipeline.callbacks.metrics.totals().map { total in
                    let labels =
                        "pipeline=\"\(runner.pipeline.name)\",link=\"\(total.link)\",result=\"\(total.result)\""
                    return (labels, total.count)
                }
            }
        )
        let doors = runners.flatMap { runner in runner.doors.map { (runner.pipeline.name, $0) } } + [("", admin)]
        add(
            "busd_refused_calls_total",
            "counter",
            "Calls since the start whose callers did not prove who they are; the operators' door is of no pipeline.",
            doors.flatMap { pipeline, door in
                door.refusedCalls.map { refused in
                    let reason = refused.reason.rawValue
                    return ("pipeline=\"\(pipeline)\",door=\"\(door.label)\",reason=\"\(reason)\"", refused.count)
                }
            }
        )
    }

    private mutating func addChannels(_ reports: [(pipeline: String, report: DispatchReport)]) {
        add(
            "busd_deliveries_under_way",
            "gauge",
            "Attempts that wait for a provider's answer.",
            reports.map { ("pipeline=\"\($0.pipeline)\"", $0.report.underWay) }
        )
        let values: [(name: String, help: String, value: (DispatchReport.Channel) -> Int)] = [
            ("busd_channel_paused", "Whether an operator stopped the channel.", { $0.isPaused ? 1 : 0 }),
            ("busd_channel_suspended", "Whether the channel is probed after a fault.", { $0.isSuspended ? 1 : 0 }),
            ("busd_channel_blocked", "Deliveries in memory that wait for the channel.", { $0.blocked }),
        ]
        for (name, help, value) in values {
            let samples = reports.flatMap { entry in
                entry.report.channels.map { ("pipeline=\"\(entry.pipeline)\",channel=\"\($0.label)\"", value($0)) }
            }
            add(name, "gauge", help, samples)
        }
    }

    private mutating func add(_ name: String, _ type: String, _ help: String, _ samples: [Sample]) {
        text += Self.family(name, type, help, samples)
    }

    static func family(_ name: String, _ type: String, _ help: String, _ samples: [Sample]) -> String {
        var text = "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        for (labels, value) in samples {
            text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
        }
        return text
    }
}
