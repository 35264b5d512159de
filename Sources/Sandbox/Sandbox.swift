// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Threads

/// Stand-ins for the outside world on loopback: for tests, for the demo, and for integrators.
///
/// It fills its folder with what a bus needs to talk to it: `ca.pem`, an APNs key, a service account's key, and the
/// addresses in `sandbox.json` and `README.txt`.
public final class Sandbox: Sendable {
    /// The folder with its keys and addresses.
    public let directory: String
    /// The stand-in for Apple's push service.
    public let apns: PushStandIn
    /// The stand-in for Firebase Cloud Messaging.
    public let fcm: PushStandIn
    /// The stand-in for Google's token endpoint; its records name the account and leave the body out.
    public let oauth: PushStandIn
    /// The stand-in for an SMS gateway; its records name the phone number, and their body is the text.
    public let sms: PushStandIn
    /// The access tokens that it gave.
    public let accessTokens: AccessTokenBook
    /// The stand-in for a bank.
    public let bank: BankStandIn
    /// The base URL of the control interface: `http://127.0.0.1:PORT`.
    public let control: String
    private let server: HTTPServer

    private init(
        files: SandboxFiles,
        portsFrom first: UInt16,
        options: SandboxOptions
    ) throws {
        func port(_ place: UInt16) -> UInt16 { first == 0 ? 0 : first + place }
        directory = files.path
        let keys = try SandboxKeys(in: files)
        let account = try ServiceAccountKey(in: files)
        accessTokens = AccessTokenBook(lifetime: options.tokenLifetime)
        apns = try .apns(port: port(1), keys: keys, options: options)
        bank = try BankStandIn(port: port(2), capacity: options.recordLimit)
        fcm = try .fcm(port: port(3), keys: keys, book: accessTokens, options: options)
        oauth = try .oauth(port: port(4), keys: keys, account: account, book: accessTokens, options: options)
        sms = try .sms(port: port(5), options: options)
        let services = ControlRoutes(services: [(.apns, apns), (.fcm, fcm), (.oauth, oauth), (.sms, sms)])
        let routes =
            services.routes + BankControlRoutes(bank: bank).routes + TokenControlRoutes(book: accessTokens).routes
        server = try HTTPServer(listen: ["127.0.0.1:\(first)"], routes: routes)
        control = "http://\(server.addresses[0])"
        try account.write(to: files, tokenURI: oauth.endpoint + OAuthDesk.path)
    }

    /// The file that a bus trusts the stand-ins by.
    public var authorityFile: String { "\(directory)/\(SandboxKeys.authorityFile)" }
    /// The APNs key's file.
    public var keyFile: String { "\(directory)/\(SandboxKeys.keyFile)" }
    /// The APNs key's id.
    public var keyID: String { SandboxKeys.keyID }
    /// The team of the APNs key.
    public var teamID: String { SandboxKeys.teamID }

    /// The account at the SMS gateway.
    public var smsUsername: String { SMSDesk.username }
    /// The password of the account at the SMS gateway.
    public var smsPassword: String { SMSDesk.password }

    /// The service account's key file.
    public var serviceAccountFile: String { "\(directory)/\(ServiceAccountKey.file)" }

    /// Starts all stand-ins and writes their files; blocks meanwhile.
    ///
    /// The control interface listens on `first`, and on the ports after it APNs, the bank, FCM, the token endpoint
    /// and the SMS gateway; with 0 the system picks free ports.
    ///
    /// - Throws: ``SandboxError`` where the folder cannot be written or a port is taken.
    public static func start(
        directory: String,
        portsFrom first: UInt16 = 0,
        options: SandboxOptions = SandboxOptions()
    ) throws(SandboxError) -> Sandbox {
        guard first <= UInt16.max - 5 else { throw SandboxError("the sandbox needs six ports from \(first) on") }
        do {
            let files = try SandboxFiles(directory)
            let sandbox = try Sandbox(files: files, portsFrom: first, options: options)
            let book = AddressBook(sandbox, topics: options.topics?.sorted())
            try files.write(book.json, to: "sandbox.json")
            try files.write(book.readme, to: "README.txt")
            return sandbox
        } catch let error as SandboxError {
            throw error
        } catch {
            throw SandboxError("the sandbox cannot start: \(error)")
        }
    }

    /// Ends all stand-ins; their files stay.
    public func stop() async {
        await server.stop(drain: .seconds(1))
        await bank.stop()
        for service in SandboxService.allCases { await standIn(service).stop() }
    }
}
