// SPDX-License-Identifier: Apache-2.0

/// What every module is, whatever its role: a name, settings, and a way to be made from them.
///
/// Three phases stay apart: **check** looks at settings and the files they name and reports; **make** (the
/// initialiser) may open files and clients but starts nothing; **run** works until the bus drains.
public protocol Module: Sendable {
    /// What an integrator may write below the module's name.
    associatedtype Settings: ModuleSettings

    /// The name in pipeline files, for example `soap_bank`; unique within a role.
    static var name: String { get }
    /// One sentence for `busd modules`.
    static var summary: String { get }

    /// Reports what is wrong with settings beyond what reading them found, for example a key file that is no key.
    ///
    /// Where other options were wrong the settings hold stand-ins for them, so that all is told in one run: what is said
    /// of places with an error, or of the module as a whole, is left out then.
    static func check(_ settings: Settings, _ check: inout ModuleCheck)

    /// Makes the module; starts nothing.
    ///
    /// - Throws: an error whose description an operator can act on.
    init(settings: Settings, context: ModuleContext) throws

    /// Works until ``drain()`` was called and what it began is finished; cancellation means stop now.
    ///
    /// A module that throws or returns before that has failed: its pipeline is not ready any more.
    func run() async throws

    /// Takes nothing new from the outside from now on.
    func drain() async
}

extension Module {
    /// Finds nothing wrong.
    public static func check(_ settings: Settings, _ check: inout ModuleCheck) {}
    /// Has no work of its own: waits to be cancelled.
    public func run() async throws {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
    }
    /// Has nothing to refuse.
    public func drain() async {}
}

/// What the bus gives a module, as opposed to what the integrator wrote for it.
public struct ModuleContext: Sendable {
    /// The pipeline it belongs to.
    public let pipeline: String
    /// The name of this instance in logs, metrics and admin paths.
    public let label: String
    /// Where it logs to.
    public let log: Log
    /// Where it hands messages in.
    public let intake: any Intake
    /// Whom it tells of callers that it turned away.
    public let door: any Doorkeeper

    /// Creates a context.
    public init(
        pipeline: String,
        label: String,
        log: Log,
        intake: any Intake,
        door: any Doorkeeper = NoDoorkeeper()
    ) {
        self.pipeline = pipeline
        self.label = label
        self.log = log
        self.intake = intake
        self.door = door
    }
}

/// The way into a pipeline.
public protocol Intake: Sendable {
    /// Takes a message through the pipeline's stages and returns what the bus says to it.
    ///
    /// ``Reply/accepted(_:)`` means committed and synced: after it, nothing but the timeout ends the delivery.
    func submit(_ message: Message) async -> Reply
}
