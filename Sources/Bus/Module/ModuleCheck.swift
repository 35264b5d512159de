// SPDX-License-Identifier: Apache-2.0

/// Where a module says what is wrong with its settings, beyond what reading them found.
///
/// Checking connects to nothing; it may read the small files that the settings name.
public struct ModuleCheck: Sendable {
    /// Reads a file that the settings name.
    public let readFile: @Sendable (_ path: String) throws(SettingsProblem) -> [UInt8]
    /// Where the module's own key stands, for problems of the whole.
    public let mark: SourceMark
    /// Where the settings ask for client certificates, if they do: the node's listener must be able to verify them.
    public private(set) var clientCertificateMark: SourceMark?
    /// Where the settings ask for a bank that answers questions, if they do: the pipeline must have a link to one.
    public private(set) var bankLinkMark: SourceMark?
    /// Where the settings ask for text messages, if they do: the pipeline must have a channel for phones.
    public private(set) var phoneChannelMark: SourceMark?
    /// Where the settings name a secret that callers send, if they do: it should not cross a network in clear text.
    public private(set) var callerSecretMark: SourceMark?
    /// The apps that the module registers devices for; `nil` where it says nothing.
    public private(set) var apps: [AppDeclaration]?
    /// The platforms whose devices the module reaches; `nil` where it says nothing.
    public private(set) var platforms: Set<Platform>?
    /// What was found.
    public private(set) var diagnostics: [Diagnostic] = []

    private let isOpenToAll: @Sendable (_ path: String) -> Bool

    /// Creates an empty check of the module that stands at `mark`.
    public init(
        mark: SourceMark,
        readFile: @escaping @Sendable (_ path: String) throws(SettingsProblem) -> [UInt8],
        isOpenToAll: @escaping @Sendable (_ path: String) -> Bool = { _ in false }
    ) {
        self.mark = mark
        self.readFile = readFile
        self.isOpenToAll = isOpenToAll
    }

    /// Reads the file that an option names; `nil`, which is reported under the option's key, where that fails.
    ///
    /// A file with a secret that every user of the machine can read is a doubt.
    public mutating func read(_ path: FilePath, _ key: String, isSecret: Bool = false) -> [UInt8]? {
        // The stand-in of a path that was wrong or missing, which has been reported.
        guard !path.resolved.isEmpty else { return nil }
        if isSecret, isOpenToAll(path.resolved) {
            warning(at: path.mark, "'\(key)' \(path.written) \(FilePath.openToAll)")
        }
        do throws(SettingsProblem) { return try readFile(path.resolved) } catch {
            self.error(at: path.mark, "'\(key)' \(path.written) cannot be read: \(error.message)")
            return nil
        }
    }

    /// Says that the module serves only who shows a certificate that the node's `tls.client_ca` vouches for.
    public mutating func needClientCertificates(at mark: SourceMark) { clientCertificateMark = mark }

    /// Says that the module needs a bank that answers questions about subscriptions.
    public mutating func needBankLink(at mark: SourceMark) { bankLinkMark = mark }

    /// Says that the module needs a channel that reaches phone numbers.
    public mutating func needPhoneChannel(at mark: SourceMark) { phoneChannelMark = mark }

    /// Says that callers send a secret, so that a listener without TLS that a network reaches is a doubt.
    public mutating func expectSecrets(at mark: SourceMark) { callerSecretMark = mark }

    /// Says for which apps the module registers devices, so that a `when` with another app is found.
    public mutating func declare(_ apps: [AppDeclaration]) { self.apps = apps }

    /// Says which platforms' devices the channel reaches, so that a `when` with another platform is found.
    public mutating func reach(_ platforms: Set<Platform>) { self.platforms = platforms }

    /// Reports a fault or a doubt.
    public mutating func report(_ severity: Diagnostic.Severity, at mark: SourceMark? = nil, _ message: String) {
        diagnostics.append(Diagnostic(severity, at: mark ?? self.mark, message))
    }

    /// Reports a fault; the configuration cannot be used.
    public mutating func error(at mark: SourceMark? = nil, _ message: String) {
        diagnostics.append(.error(at: mark ?? self.mark, message))
    }

    /// Reports a doubt; the configuration works.
    public mutating func warning(at mark: SourceMark? = nil, _ message: String) {
        diagnostics.append(.warning(at: mark ?? self.mark, message))
    }

    /// What was found in settings that hold stand-ins: only what is said of another place than those with `faults`, and
    /// no fault of the module as a whole, for it may come from a stand-in.
    func diagnostics(beside faults: [Diagnostic]) -> [Diagnostic] {
        let faulty = Set(faults.map(\.mark))
        return diagnostics.filter { found in
            !faulty.contains(found.mark) && (found.mark != mark || found.severity == .warning)
        }
    }
}
