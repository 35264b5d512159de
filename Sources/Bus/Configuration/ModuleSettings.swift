// SPDX-License-Identifier: Apache-2.0

/// The options of a module or of a part of it, read from its map in the configuration.
///
/// One initialiser says everything once: keys, types, defaults, bounds and what they mean. It is run on the user's
/// map to read it, and on an empty one to describe the options.
///
/// ```swift
/// struct GatewaySettings: ModuleSettings {
///     var url: String
///     var password: Secret?
///     var after: Duration
///
///     init(from reader: inout SettingsReader) {
///         url = reader.required("url", "Where the gateway listens.", example: "http://127.0.0.1:13013/cgi-bin/sendsms")
///         password = reader.optional("password", "The password of the account.")
///         after = reader.optional("after", "How long to wait for the push.", default: .seconds(30))
///     }
/// }
/// ```
///
/// The initialiser must read the same options whatever their values are, and must not do I/O.
public protocol ModuleSettings: Sendable {
    /// Reads every option once; the reader collects what is wrong and hands out stand-ins.
    init(from reader: inout SettingsReader)
}

/// What reading settings needs beside the settings.
public struct SettingsContext: Sendable {
    /// Where variables get their values from.
    public var variables: Variables
    /// Advice for a key that is not an option here, for example `'topic' is an option of apns`.
    public var explainUnknownKey: @Sendable (_ key: String) -> String?

    /// Creates a context.
    public init(
        variables: Variables = .process,
        explainUnknownKey: @escaping @Sendable (_ key: String) -> String? = { _ in nil }
    ) {
        self.variables = variables
        self.explainUnknownKey = explainUnknownKey
    }
}

extension SettingsContext {
    /// Reads a node as a single value, variables filled in.
    ///
    /// - Throws: ``SettingsProblem`` where it is a list, a map or nothing, or a variable cannot be filled.
    public func scalar(
        _ node: ConfigurationNode,
        as kind: SettingsKind = String.kind
    ) throws(SettingsProblem) -> SettingsScalar {
        guard let scalar = node.scalar else {
            throw SettingsProblem("must be a single value (\(kind.name)), not \(node.shape)")
        }
        if scalar.isNull { throw SettingsProblem("has no value; write one, or remove the key") }
        let template = try Template(scalar.text)
        let isFilled = template.hasVariables
        return SettingsScalar(
            try variables.fill(template, directory: node.mark.directory),
            isPlain: scalar.isPlain || isFilled,
            isFromVariable: isFilled || kind.isSecret,
            written: scalar.text,
            mark: node.mark
        )
    }
}

extension ModuleSettings {
    /// Reads settings from a node and adds what is wrong to `diagnostics`.
    ///
    /// - Returns: `nil` where something is wrong; half-read settings never get out.
    public static func read(
        _ node: ConfigurationNode,
        context: SettingsContext,
        diagnostics: inout [Diagnostic]
    ) -> Self? {
        var reader = SettingsReader(node, context: context)
        let settings = Self(from: &reader)
        let found = reader.finish()
        diagnostics += found
        return found.hasErrors ? nil : settings
    }

    /// Reads settings from a node.
    ///
    /// - Throws: ``ConfigurationError`` with everything that is wrong in it.
    public static func read(
        _ node: ConfigurationNode,
        context: SettingsContext = SettingsContext()
    ) throws(ConfigurationError) -> Self {
        var diagnostics: [Diagnostic] = []
        guard let settings = read(node, context: context, diagnostics: &diagnostics) else {
            throw ConfigurationError(diagnostics)
        }
        return settings
    }
}
