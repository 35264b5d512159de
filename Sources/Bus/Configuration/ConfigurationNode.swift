// SPDX-License-Identifier: Apache-2.0

/// A piece of a configuration file that remembers where it stands.
public struct ConfigurationNode: Sendable, Hashable {
    /// A value without structure.
    public struct Scalar: Sendable, Hashable {
        /// The text, quotes and escapes resolved, variables not yet filled.
        public var text: String
        /// Whether it stood without quotes, so that it may mean a number, a boolean or nothing.
        public var isPlain: Bool

        /// Creates a scalar.
        public init(_ text: String, isPlain: Bool = true) {
            self.text = text
            self.isPlain = isPlain
        }

        /// Whether this is YAML's way to say "no value": `key:`, `~` or `null`.
        public var isNull: Bool { isPlain && ["", "~", "null", "Null", "NULL"].contains(text) }
    }

    /// A key and its value.
    public struct Entry: Sendable, Hashable {
        /// The key.
        public var key: String
        /// Where the key stands.
        public var keyMark: SourceMark
        /// The value.
        public var value: ConfigurationNode

        /// Creates an entry.
        public init(_ key: String, at keyMark: SourceMark, _ value: ConfigurationNode) {
            self.key = key
            self.keyMark = keyMark
            self.value = value
        }
    }

    /// The three shapes of YAML.
    public enum Content: Sendable, Hashable {
        /// A value without structure.
        case scalar(Scalar)
        /// Values in order.
        case list([ConfigurationNode])
        /// Keys and values, in the order of the file; no key twice.
        case map([Entry])
    }

    /// What it holds.
    public var content: Content
    /// Where it begins.
    public var mark: SourceMark
    /// The key or the `-` that it belongs to: where something missing in it is reported.
    public var owner: SourceMark

    /// Creates a node; without an owner it is its own.
    public init(_ content: Content, at mark: SourceMark, owner: SourceMark? = nil) {
        self.content = content
        self.mark = mark
        self.owner = owner ?? mark
    }

    /// The entries of a map, or `nil` where this is something else.
    public var entries: [Entry]? {
        guard case .map(let entries) = content else { return nil }
        return entries
    }

    /// The items of a list, or `nil` where this is something else.
    public var items: [ConfigurationNode]? {
        guard case .list(let items) = content else { return nil }
        return items
    }

    /// The scalar, or `nil` where this is something else.
    public var scalar: Scalar? {
        guard case .scalar(let scalar) = content else { return nil }
        return scalar
    }

    /// Whether there is no value: `key:`, `~` or `null`.
    public var isNull: Bool { scalar?.isNull ?? false }

    /// The value of a key, where this is a map that has it.
    public subscript(key: String) -> ConfigurationNode? { entries?.first { $0.key == key }?.value }

    /// The shape in words, for messages.
    public var shape: String {
        switch content {
        case .scalar(let scalar): scalar.isNull ? "nothing" : "a single value"
        case .list: "a list"
        case .map: "a map"
        }
    }
}
