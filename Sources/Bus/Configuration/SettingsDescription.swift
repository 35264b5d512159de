// SPDX-License-Identifier: Apache-2.0

/// The options of a settings type: what the documentation, the schema and `busd modules` are made from.
public struct SettingsDescription: Sendable, Equatable {
    /// What an option may hold.
    public indirect enum Shape: Sendable, Equatable {
        /// A single value; the bounds are written as in a file.
        case value(SettingsKind, minimum: String?, maximum: String?)
        /// Values in order; a single one may stand for a list of one where `acceptsOne`.
        case list(Shape, acceptsOne: Bool)
        /// Values under names of the user's choice.
        case map(Shape)
        /// Options of its own.
        case group(SettingsDescription)
        /// Exactly one of the options of the group.
        case choice(SettingsDescription)
        /// Read by someone else.
        case anything
    }

    /// One option.
    public struct Option: Sendable, Equatable {
        /// Its key.
        public var key: String
        /// What it means, in one line.
        public var summary: String
        /// What it may hold.
        public var shape: Shape
        /// Whether it must be given.
        public var isRequired: Bool
        /// What counts where it is not given, as one would write it; `nil` where there is no default.
        public var fallback: String?
        /// A value as one would write it.
        public var example: String?

        /// Whether its value is never shown.
        public var isSecret: Bool {
            switch shape {
            case .value(let kind, _, _), .list(.value(let kind, _, _), _), .map(.value(let kind, _, _)): kind.isSecret
            default: false
            }
        }
    }

    /// The options in the order of their declaration.
    public var options: [Option]

    /// Creates a description from its options.
    public init(options: [Option]) { self.options = options }

    /// Describes a settings type, by running its initialiser on a map with nothing in it.
    public init<Settings: ModuleSettings>(of type: Settings.Type) {
        var reader = SettingsReader.describing(depth: 0)
        _ = Settings(from: &reader)
        options = reader.described
    }

    /// The option of a key.
    public subscript(key: String) -> Option? { options.first { $0.key == key } }
}
