// SPDX-License-Identifier: Apache-2.0

public import Bus
import JSON
import NotificationJSON

/// A stage in any language: a program that reads one JSON object a line and writes one, or a service over HTTP.
///
/// It is asked about notifications; everything else proceeds.
public final class ExternalStage: Stage {
    /// The name in pipeline files.
    public static let name = "external"
    /// One sentence about it.
    public static let summary = "Asks a program in any language about each notification."

    /// The options.
    public struct Settings: ModuleSettings {
        enum OnFailure: String, CaseIterable, SettingsValue {
            case refuse, proceed
        }

        let external: ExternalSettings
        let onFailure: OnFailure

        /// Reads the options.
        public init(from reader: inout SettingsReader) {
            external = ExternalSettings(from: &reader)
            onFailure = reader.optional(
                "on_failure",
                "What becomes of a notification that is not answered in time: refused for now (503), or it proceeds.",
                default: .refuse
            )
        }
    }

    private let peer: any ExternalPeer
    private let onFailure: Settings.OnFailure
    private let pipeline: String
    private let log: Log

    /// Makes the stage; the program is started with the first question.
    public init(settings: Settings, context: ModuleContext) throws {
        peer = settings.external.peer(label: context.label, log: context.log)
        onFailure = settings.onFailure
        pipeline = context.pipeline
        log = context.log
    }

    /// Asks about a notification.
    public func process(_ message: Message) async -> StageResult {
        guard case .notification(let notification) = message else { return .proceed(message) }
        let result = await peer.ask { writer in
            writer.key("message")
            writer.beginObject()
            writer.key("kind")
            writer.string(static: "notification")
            writer.key("pipeline")
            writer.string(pipeline)
            writer.members(of: notification, recipients: notification.recipients.lazy.map(\.id.text))
            writer.endObject()
        }
        switch result {
        case .failure(let failure): return failed(message, failure.reason)
        case .success(let answer): return read(answer, about: notification)
        }
    }

    private func read(_ answer: JSONValue, about notification: Notification) -> StageResult {
        let reason = answer["reason"]?.string.flatMap { $0.isEmpty ? nil : String($0.prefix(500)) }
        switch answer["verdict"]?.string {
        case "proceed":
            guard let changed = answer["message"], changed != .null else {
                return .proceed(.notification(notification))
            }
            do throws(MisshapenNotification) {
                return .proceed(.notification(try notification.changed(to: changed)))
            } catch {
                let fault = error.fields.first.map { "\($0.path) \($0.message)" } ?? "it is none"
                return failed(.notification(notification), "the message it gives back is wrong: \(fault)")
            }
        case "drop": return .drop(reason: reason ?? "an external stage dropped it")
        case "reject": return .reject(Refusal(reason ?? "an external stage rejected it"))
        default: return failed(.notification(notification), "'verdict' must be proceed, drop or reject")
        }
    }

    private func failed(_ message: Message, _ reason: String) -> StageResult {
        log.warning(
            onFailure == .refuse
                ? "an external stage failed: refused for now" : "an external stage failed: it proceeds",
            ["reason": reason]
        )
        return onFailure == .refuse ? .unavailable(retryAfter: 1) : .proceed(message)
    }

    /// Ends the program when nothing comes any more.
    public func drain() async { await peer.stop() }
}

extension Notification {
    /// Takes over what a stage changed; recipients that were there keep what the bank calls them.
    fileprivate func changed(to json: JSONValue) throws(MisshapenNotification) -> Notification {
        var changed = try Notification(json: json.without(["kind", "pipeline"]))
        guard changed.id == id else {
            throw MisshapenNotification(fields: [Refusal.Field(path: "id", message: "must stay as it is")])
        }
        let known = Dictionary(recipients.map { ($0.id, $0) }) { first, _ in first }
        changed.recipients = changed.recipients.map { known[$0.id] ?? $0 }
        changed.requiresKnownRecipients = requiresKnownRecipients
        return changed
    }
}

extension JSONValue {
    fileprivate func without(_ keys: Set<String>) -> JSONValue {
        guard case .object(let object) = self else { return self }
        return .object(JSONObject(object.members.filter { !keys.contains($0.key) }))
    }
}
