// SPDX-License-Identifier: Apache-2.0

/// Reads typed options out of a map, collects every problem, and describes the options where there is nothing to read.
///
/// A bad or missing value becomes a stand-in and a diagnostic, so one run reports all that is wrong in a file. Keys
/// that nobody asked for are errors.
public struct SettingsReader {
    /// Settings are not deeper than this; a type that holds itself ends here when it is described.
    private static let deepest = 8

    let entries: [ConfigurationNode.Entry]
    let context: SettingsContext
    /// Whether this run describes the options instead of reading them.
    let isDescribing: Bool
    let depth: Int
    private let owner: SourceMark
    var known: [String] = []
    private var ignored: Set<String> = []
    /// Whether this is no map, so that neither missing nor unknown keys mean anything.
    private var isUnreadable = false
    private(set) var diagnostics: [Diagnostic] = []
    private var missing: [String] = []
    private(set) var described: [SettingsDescription.Option] = []

    /// Creates a reader of a map.
    ///
    /// For those who want the half-read settings of a faulty file too; everybody else calls
    /// ``ModuleSettings/read(_:context:)``.
    public init(_ node: ConfigurationNode, context: SettingsContext) {
        self.init(node, context: context, depth: 0)
    }

    init(_ node: ConfigurationNode, context: SettingsContext, depth: Int) {
        self.context = context
        self.depth = depth
        owner = node.owner
        isDescribing = false
        entries = node.entries ?? []
        if node.entries == nil, !node.isNull {
            diagnostics.append(.error(at: node.mark, "must be a map of options, not \(node.shape)"))
            isUnreadable = true
        }
    }

    private init(describingAt depth: Int) {
        entries = []
        context = SettingsContext(variables: Variables(environment: { _ in "" }, readFile: { _ in [] }))
        self.depth = depth
        owner = SourceMark(file: "")
        isDescribing = true
    }

    static func describing(depth: Int) -> Self { Self(describingAt: depth) }

    /// Whether options of this depth are still looked at.
    var mayDescend: Bool { depth < Self.deepest }

    // MARK: What settings types ask besides values

    /// Whether the user wrote this option.
    public func isGiven(_ key: String) -> Bool { entries.contains { $0.key == key } }

    /// Whether the user wrote a list with nothing in it.
    public func isEmptyList(_ key: String) -> Bool {
        entries.first { $0.key == key }?.value.items?.isEmpty ?? false
    }

    /// The keys the user wrote, in the order of the file.
    public var givenKeys: [String] { entries.map(\.key) }

    /// Where the key of an option stands, or the map itself where the user did not write the option.
    public func keyMark(of key: String) -> SourceMark { entries.first { $0.key == key }?.keyMark ?? owner }

    /// Where the value of an option stands, or the map itself where the user did not write the option.
    public func mark(of key: String) -> SourceMark { entries.first { $0.key == key }?.value.mark ?? owner }

    /// Reports a problem between options, at one of them or at the map.
    ///
    /// Where there is no map there is nothing between options, and that it is none has been said.
    public mutating func report(_ message: String, at key: String? = nil, severity: Diagnostic.Severity = .error) {
        guard !isUnreadable else { return }
        add(Diagnostic(severity, at: key.map { mark(of: $0) } ?? owner, message))
    }

    /// Reports a problem at a place of the caller's choice.
    public mutating func report(_ diagnostic: Diagnostic) { add(diagnostic) }

    /// Lets keys pass that begin with `prefix`: a home for anchors.
    public mutating func ignoreKeys(prefix: String) {
        ignored.formUnion(entries.map(\.key).filter { $0.hasPrefix(prefix) })
    }

    /// Fills in the variables of a text, for settings that must look at it first; see ``optionalNode(_:_:example:)``.
    ///
    /// - Returns: `nil`, with a diagnostic, where that is not possible.
    public mutating func fill(_ template: Template, of key: String) -> String? {
        let mark = mark(of: key)
        do { return try context.variables.fill(template, directory: mark.directory) } catch {
            add(.error(at: mark, "'\(key)' \(error.message)"))
            return nil
        }
    }

    // MARK: For the extensions

    /// Notes an option, and returns its entry where the user wrote it.
    mutating func take(_ option: @autoclosure () -> SettingsDescription.Option, key: String) -> ConfigurationNode.Entry?
    {
        known.append(key)
        if isDescribing { described.append(option()) }
        return entries.first { $0.key == key }
    }

    mutating func add(_ diagnostic: Diagnostic) {
        if !isDescribing { diagnostics.append(diagnostic) }
    }

    mutating func add(contentsOf found: [Diagnostic]) {
        if !isDescribing { diagnostics += found }
    }

    mutating func reportMissing(_ key: String) {
        if !isUnreadable, !isDescribing { missing.append(key) }
    }

    /// Whether the user wrote neither this option nor a key that is most likely a slip of it.
    ///
    /// To be asked when all options were read. A slip has an error of its own; that the option is missing too would be
    /// one too many.
    public func isMissing(_ key: String) -> Bool {
        !isUnreadable && !isGiven(key) && !unknownKeys.contains { meant(by: $0.key, rather: [key]) == key }
    }

    /// Everything that was wrong, missing and unknown keys included.
    public func finish() -> [Diagnostic] {
        guard !isUnreadable else { return diagnostics }
        // Found once for all: a file may hold twenty thousand keys that are unknown.
        let given = Set(entries.map(\.key))
        let left = known.filter { !given.contains($0) }
        let unknown = unknownKeys.map { (entry: $0, meant: meant(by: $0.key, rather: left)) }
        let slips = Set(unknown.compactMap(\.meant))
        return diagnostics + missing.filter { !slips.contains($0) }.map { .error(at: owner, "'\($0)' is missing") }
            + unknown.map { .error(at: $0.entry.keyMark, explain($0.entry.key, meant: $0.meant)) }
    }

    private var unknownKeys: [ConfigurationNode.Entry] {
        let asked = ignored.union(known)
        return entries.filter { !asked.contains($0.key) }
    }

    /// The option that a key is most likely a slip of: rather one that is not there yet.
    private func meant(by key: String, rather left: [String]) -> String? {
        Suggestion.closest(to: key, in: left) ?? Suggestion.closest(to: key, in: known)
    }

    private func explain(_ key: String, meant: String?) -> String {
        let shown = key.count > 64 ? "\(key.prefix(64))…" : key
        if let close = meant {
            return "unknown key '\(shown)'; did you mean '\(close)'?"
        }
        if let advice = context.explainUnknownKey(key) { return "unknown key '\(shown)'; \(advice)" }
        if known.isEmpty { return "unknown key '\(shown)'; there are no options here" }
        return "unknown key '\(shown)'; known here: \(known.joined(separator: ", "))"
    }
}
