// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import JSON
import Sandbox
import Testing

/// A folder with a bus's configuration, the sandbox as the outside world, and clients for both.
struct World: Sendable {
    static let soapPath = "/pigeon/services/SBIInboundWebService"

    let folder: URL
    let sandbox: Sandbox
    let client: HTTPClient

    /// Runs `body` in a world of its own, which is gone afterwards.
    ///
    /// `sms` is more options of an `sms_gateway`, each on a line of its own and indented by six; `nil`: there is none.
    static func with<Result>(
        sandbox options: SandboxOptions = SandboxOptions(),
        node: String = "",
        bank: String = "",
        inbound: String = "",
        outbound extra: String = "",
        asksBank: Bool = false,
        sms: String? = nil,
        port: UInt16 = 0,
        _ body: (World) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "busd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let sandbox = try Sandbox.start(directory: folder.appending(path: "sandbox").path, options: options)
        let world = World(folder: folder, sandbox: sandbox, client: HTTPClient())
        let link = asksBank ? "  - soap_bank: { url: \"\(sandbox.bank.url)\", timeout: 5s }\n" : ""
        let gateway = sms.map { options in
            """
              - sms_gateway:
                  url: \(sandbox.sms.endpoint)
                  username: \(sandbox.smsUsername)
                  password: \(sandbox.smsPassword)
            \(options)

            """
        }
        let authorization = asksBank ? "bank" : "none"
        try world.writeConfiguration(
            node: node,
            bank: bank,
            inbound: inbound,
            outbound: link + (gateway ?? "") + extra,
            authorization: authorization,
            port: port
        )
        do {
            let result = try await body(world)
            await sandbox.stop()
            return result
        } catch {
            await sandbox.stop()
            throw error
        }
    }

    /// `node` is more lines of the node file, `bank` more options of `soap_bank`, the others more modules.
    private func writeConfiguration(
        node: String,
        bank: String,
        inbound: String,
        outbound: String,
        authorization: String,
        port: UInt16
    ) throws {
        try write(
            "busd.yaml",
            """
            listen: 127.0.0.1:\(port)
            admin: { listen: 127.0.0.1:0, token: operator }
            store: sqlite:busd.db
            pipelines: [bank.yaml]
            \(node)
            """
        )
        try write(
            "bank.yaml",
            """
            pipeline: bank
            inbound:
              - soap_bank: { path: \(Self.soapPath)\(bank.isEmpty ? "" : ", \(bank)") }
              - mobile_app: { path: /mobile/v1, authorization: \(authorization), apps: [{ id: retail }] }
            \(inbound)
            stages:
              - validate: {}
              - map_ids: { case_insensitive: true }
            outbound:
              - apns:
                  endpoint: \(sandbox.apns.endpoint)
                  topic: com.example.bank
                  auth: { key: { path: \(sandbox.keyFile), key_id: \(sandbox.keyID), team_id: \(sandbox.teamID) } }
                  ca: \(sandbox.authorityFile)
              - fcm:
                  endpoint: \(sandbox.fcm.endpoint)
                  service_account: \(sandbox.serviceAccountFile)
                  ca: \(sandbox.authorityFile)
            \(outbound)
            delivery: { retry: { initial: 50ms, max: 500ms } }
            """
        )
    }

    func write(_ name: String, _ text: String) throws {
        try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }

    /// Starts the bus.
    func startBus() async throws -> BusProcess { try await BusProcess(["run"], in: folder) }

    /// Registers a phone; returns its secret.
    @discardableResult
    func register(
        _ user: String,
        device: String,
        token: String,
        platform: String = "IOS",
        at bus: BusProcess
    ) async throws -> (status: Int, secret: String?) {
        let body = Self.registration(user, device: device, token: token, platform: platform)
        let answer = try await send("POST", bus, "/mobile/v1/devices", "application/json", body)
        let object = try? JSONValue(parsing: answer.body)
        return (answer.status, object?["secret"]?.string)
    }

    /// What an app posts to register.
    static func registration(_ user: String, device: String, token: String, platform: String) -> String {
        """
        {"appId": "retail", "userId": "\(user)", "deviceId": "\(device)", "platform": "\(platform)", \
        "token": "\(token)"}
        """
    }

    /// Sends a SOAP body and returns the answer's text.
    func soap(_ body: String, at bus: BusProcess) async throws -> (status: Int, text: String) {
        let answer = try await send("POST", bus, Self.soapPath, "text/xml; charset=utf-8", SOAPText.envelope(body))
        return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }

    func send(
        _ method: String,
        _ bus: BusProcess,
        _ path: String,
        _ type: String = "",
        _ body: String = "",
        headers: [(name: String, value: String)] = []
    ) async throws -> HTTPClientResponse {
        let typed = type.isEmpty ? headers : headers + [(name: "Content-Type", value: type)]
        return try await client.send(
            HTTPClientRequest(
                method: method,
                url: "http://127.0.0.1:\(bus.port)\(path)",
                headers: typed,
                body: Array(body.utf8)
            )
        )
    }

    func admin(
        _ method: String,
        _ bus: BusProcess,
        _ path: String,
        token: String? = nil
    ) async throws
        -> HTTPClientResponse
    {
        let headers = token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        return try await client.send(
            HTTPClientRequest(
                method: method,
                url: "http://127.0.0.1:\(bus.adminPort)\(path)",
                headers: headers,
                body: []
            )
        )
    }

    /// Asks for a notification's status until it is as wished.
    func status(of notification: String, at bus: BusProcess, becomes wished: String) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(20)
        var text = ""
        while ContinuousClock.now < deadline {
            text = try await soap("<getDeliveryStatus><id>\(notification)</id></getDeliveryStatus>", at: bus).text
            if text.contains(wished) { return text }
            // Statuses are asked for, as a bank does; the bus tells nobody when they change.
            try await Task.sleep(for: .milliseconds(20))
        }
        return text
    }
}
