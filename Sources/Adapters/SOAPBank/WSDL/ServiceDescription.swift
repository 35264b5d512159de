// SPDX-License-Identifier: Apache-2.0

/// A SOAP service, document/literal wrapped: what its WSDL says, and nothing of how a WSDL is written.
struct ServiceDescription {
    /// An operation; its request and its answer are the types of its name, and of its name with "Response".
    struct Operation {
        let name: String
        /// The type of an exception that it may answer with.
        var fault: String?
    }

    /// A field of a type.
    struct Field {
        enum Kind {
            case named(String)
            /// Pairs of a text and a value of this type.
            case map(value: String)
        }

        let name: String
        let kind: Kind
        var isOptional = false
        var isRepeated = false
    }

    /// A type of the service's own.
    enum Definition {
        case fields(String, [Field])
        case words(String, [String])
    }

    /// The service's name, which is its port type's as well.
    let name: String
    let namespace: String
    /// Whether operations have actions of WS-Addressing, of which a caller may make use.
    let hasAddressing: Bool
    let operations: [Operation]
    /// In the order in which they are written.
    let types: [Definition]

    /// The exceptions, each once.
    var faults: [String] {
        operations.compactMap(\.fault).reduce(into: []) { found, name in if !found.contains(name) { found.append(name) }
        }
    }
}

extension ServiceDescription.Field {
    /// A field that is always there.
    static func one(_ name: String, _ type: String = "xs:string") -> Self { Self(name: name, kind: .named(type)) }
    /// A field that may be missing.
    static func maybe(_ name: String, _ type: String = "xs:string") -> Self {
        Self(name: name, kind: .named(type), isOptional: true)
    }
    /// A field that is there once or more often.
    static func some(_ name: String, _ type: String = "xs:string") -> Self {
        Self(name: name, kind: .named(type), isRepeated: true)
    }
    /// A field that is there as often as it likes.
    static func any(_ name: String, _ type: String = "xs:string") -> Self {
        Self(name: name, kind: .named(type), isOptional: true, isRepeated: true)
    }
    /// A field that holds pairs.
    static func map(_ name: String, _ value: String = "xs:string", isOptional: Bool = true) -> Self {
        Self(name: name, kind: .map(value: value), isOptional: isOptional)
    }
}
