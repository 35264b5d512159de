// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import Foundation
import HTTP2
import Synchronization
import Testing
import Threads
import YAML

@testable import APNs

/// Gathers reports and lets a test wait for them.
final class Collector: DeliverySink {
    private struct State {
        var reports: [DeliveryReport] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    func report(_ reports: [DeliveryReport]) {
        let ready = state.withLock { state in
            state.reports += reports
            let ready = state.waiters.filter { $0.count <= state.reports.count }
            state.waiters.removeAll { $0.count <= state.reports.count }
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Waits for so many reports; returns the outcomes by ticket.
    func outcomes(_ count: Int) async -> [UInt64: Outcome] {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.reports.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
        let reports = state.withLock { $0.reports }
        return Dictionary(reports.map { ($0.ticket, $0.outcome) }, uniquingKeysWith: { first, _ in first })
    }
}

/// Keeps what a server got.
final class Requests: Sendable {
    private let state = Mutex<[HTTP2ServerRequest]>([])

    /// Notes a request; returns how many there were before.
    func add(_ request: HTTP2ServerRequest) -> Int {
        state.withLock {
            $0.append(request)
            return $0.count - 1
        }
    }

    var all: [HTTP2ServerRequest] { state.withLock { $0 } }
}

/// What all suites share: an authority nobody else trusts, a signing key, a place for files.
struct Secrets: Sendable {
    static let shared = Secrets()
    let authority: CertificateAuthority
    let server: HTTP2ServerTLS
    let key: SigningKey
    let folder: String

    private init() {
        do {
            authority = try CertificateAuthority(name: "Test CA")
            let identity = try authority.server(["localhost"])
            server = HTTP2ServerTLS(
                certificate: Array(identity.certificate.utf8),
                key: Array(identity.privateKey.utf8)
            )
            key = try SigningKey.generate(.p256)
            folder = NSTemporaryDirectory() + "busd-apns-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try write("key.p8", key.pem())
            try write("rsa.p8", SigningKey.generate(.rsa).pem())
            try write("ca.pem", authority.certificate)
        } catch {
            fatalError("no secrets: \(error)")
        }
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    func write(_ name: String, _ text: String) throws {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    }

    var keyAuth: String { "{ key: { path: \(path("key.p8")), key_id: ABC123DEFG, team_id: DEF123GHIJ } }" }
}

let ok = HTTP2ServerAction.respond(HTTP2ServerResponse(200))

func answer(_ status: Int, _ body: String, _ headers: [HTTP2Header] = []) -> HTTP2ServerAction {
    .respond(HTTP2ServerResponse(status, ownHeaders: headers, body: Array(body.utf8)))
}

func settings(_ text: String) throws -> APNsSettings { try APNsSettings.read(YAML.parse(text, file: "p.yaml")) }

/// A server with a script and a channel that sends to it.
struct Fixture {
    let server: HTTP2Server
    let channel: APNsChannel
    let collector = Collector()
    let requests: Requests

    /// The script says what to do about the request of a number, from 0.
    init(
        auth: String = Secrets.shared.keyAuth,
        options: String = "",
        topic: String? = "com.megabank.retail",
        clientRoots: String = "",
        script: @escaping @Sendable (Int, HTTP2ServerRequest) -> HTTP2ServerAction = { _, _ in ok }
    ) throws {
        var configuration = HTTP2ServerConfiguration(tls: Secrets.shared.server)
        configuration.tls?.clientRoots = Array(clientRoots.utf8)
        let requests = Requests()
        self.requests = requests
        server = try HTTP2Server(configuration) { script(requests.add($0), $0) }
        let text = """
            endpoint: https://localhost:\(server.port)
            \(topic.map { "topic: \($0)" } ?? "")
            ca: \(Secrets.shared.path("ca.pem"))
            auth: \(auth)
            \(options)
            """
        channel = try APNsChannel(settings: settings(text), context: .test, loop: .shared) {
            $0.backoff = 10_000_000...100_000_000
        }
    }

    /// Sends deliveries with tickets from 1; returns what became of each.
    func send(_ deliveries: [Delivery]) async -> [UInt64: Outcome] {
        channel.send(deliveries, to: collector)
        return await collector.outcomes(deliveries.count)
    }
}

struct NoIntake: Intake {
    func submit(_ message: Message) async -> Reply { .overloaded(retryAfter: 1) }
}

extension ModuleContext {
    static let test = ModuleContext(pipeline: "megabank", label: "apns", log: .silent, intake: NoIntake())
}

func outgoing(
    text: String = "Hello",
    id: NotificationID = "n-1",
    type: NotificationType = .message,
    target: String? = nil,
    details: PushDetails? = nil,
    priority: Int = 5,
    collapseID: String? = nil
) -> OutgoingNotification {
    let content = PushContent(badge: 3, text: text, type: type, target: target)
    let notification = Notification(
        id: id,
        recipients: [],
        timeout: 60,
        content: content,
        details: details,
        priority: priority,
        collapseID: collapseID
    )
    return OutgoingNotification(notification: notification, sequence: 1, acceptedAt: 1_700_000_000_000)
}

func delivery(
    _ ticket: UInt64 = 1,
 sequence: 1,
    _ outgoing: OutgoingNotification = outgoing(),
    token: String = "a0b1",
    topic: String? = nil,
    seconds: UInt64 = 20
) -> Delivery {
    let device = Device(subscription: 1, app: "retail", platform: .ios, token: token, registeredAt: 0, topic: topic)
    return Delivery(
        ticket: ticket,
        notification: outgoing,
        address: .device(device),
        messageID: MessageID(high: 0x0123_4567_89ab_8def, low: 0x8000_0000_0000_0000 | ticket),
        expiration: 1_700_000_060,
        deadline: Clock.now() + seconds * 1_000_000_000
    )
}
