// SPDX-License-Identifier: Apache-2.0

import HTTP2
import HTTPServer
import Threads

/// Stand-ins for the outside world on loopback: for tests, for the demo, and for integrators.
///
/// It fills its folder with what a bus needs to talk to it: `ca.pem`, an APNs key, and the addresses in
/// `sandbox.json` and `README.txt`.
public final class Sandbox: Sendable {
    /// The folder with its keys and addresses.
    public let directory: String
    /// The stand-in for Apple's push service.
    public let apns: APNsStandIn
    /// The stand-in for a bank.
    public let bank: BankStandIn
    /// The base URL of the control interface: `http://127.0.0.1:PORT`.
    public let control: String
    private let server: HTTPServer

    private init(directory: String, apns: APNsStandIn, bank: BankStandIn, server: HTTPServer, control: String) {
        self.directory = directory
        self.apns = apns
        self.bank = bank
        self.server = server
        self.control = control
    }

    /// The file that a bus trusts the stand-ins by.
    public var authorityFile: String { "\(directory)/\(SandboxKeys.authorityFile)" }
    /// The APNs key's file.
    public var keyFile: String { "\(directory)/\(SandboxKeys.keyFile)" }
    /// The APNs key's id.
    public var keyID: String { SandboxKeys.keyID }
    /// The team of the APNs key.
    public var teamID: String { SandboxKeys.teamID }

    /// Starts all stand-ins and writes their files; blocks meanwhile.
    ///
    /// The control interface listens on `first`, APNs and the bank on the two ports after it; with 0 the system picks
    /// free ports.
    ///
    /// - Throws: ``SandboxError`` where the folder cannot be written or a port is taken.
    public static func start(
        directory: String,
        portsFrom first: UInt16 = 0,
        options: SandboxOptions = SandboxOptions()
    ) throws(SandboxError) -> Sandbox {
        guard first < UInt16.max - 1 else { throw SandboxError("the sandbox needs three ports from \(first) on") }
        do {
            let files = try SandboxFiles(directory)
            let keys = try SandboxKeys(in: files)
            let apns = try APNsStandIn(port: first == 0 ? 0 : first + 1, keys: keys, options: options)
            let bank = try BankStandIn(port: first == 0 ? 0 : first + 2, capacity: options.recordLimit)
            let routes = ControlRoutes(apns: apns).routes + BankControlRoutes(bank: bank).routes
            let server = try HTTPServer(listen: ["127.0.0.1:\(first)"], routes: routes)
            let control = "http://\(server.addresses[0])"
            let book = AddressBook(
                control: control,
                apns: apns.endpoint,
                bank: bank.url,
                topics: options.topics?.sorted()
            )
            try files.write(book.json, to: "sandbox.json")
            try files.write(book.readme, to: "README.txt")
            return Sandbox(directory: directory, apns: apns, bank: bank, server: server, control: control)
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
        await withCheckedContinuation { continuation in
            // Joining the server's thread is not for a thread of the pool.
            _ = NamedThread("sandbox-stop") { [apns] in
                apns.stop()
                continuation.resume()
            }
        }
    }
}
