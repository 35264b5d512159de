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
    /// What was found.
    public private(set) var diagnostics: [Diagnostic] = []

    /// Creates an empty check of the module that stands at `mark`.
    public init(
        mark: SourceMark,
        readFile: @escaping @Sendable (_ path: String) throws(SettingsProblem) -> [UInt8]
    ) {
        self.mark = mark
        self.readFile = readFile
    }

    /// Says that the module serves only who shows a certificate that the node's `tls.client_ca` vouches for.
    public mutating func needClientCertificates(at mark: SourceMark) { clientCertificateMark = mark }

    /// Says that the module needs a bank that answers questions about subscriptions.
    public mutating func needBankLink(at mark: SourceMark) { bankLinkMark = mark }

    /// Says that the module needs a channel that reaches phone numbers.
    public mutating func needPhoneChannel(at mark: SourceMark) { phoneChannelMark = mark }

    /// Reports a fault; the configuration cannot be used.
    public mutating func error(at mark: SourceMark? = nil, _ message: String) {
        diagnostics.append(.error(at: mark ?? self.mark, message))
    }

    /// Reports a doubt; the configuration works.
    public mutating func warning(at mark: SourceMark? = nil, _ message: String) {
        diagnostics.append(.warning(at: mark ?? self.mark, message))
    }
}
