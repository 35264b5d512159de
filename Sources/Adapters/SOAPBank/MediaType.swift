// SPDX-License-Identifier: Apache-2.0

/// What the Content-Type of a request says.
///
/// The document itself counts more: scripts name all sorts of types.
enum MediaType {
    /// Whether the body is certainly no envelope: an attachment's package (MTOM) or JSON.
    static func isForeign(_ type: String) -> Bool {
        let type = type.lowercased()
        return type.hasPrefix("multipart/") || type.hasPrefix("application/json")
    }

    /// The version to answer in where the envelope does not say.
    static func version(_ type: String) -> SOAPVersion {
        type.lowercased().hasPrefix("application/soap+xml") ? .v12 : .v11
    }

    /// The encoding of the body, without quotes.
    static func charset(_ type: String) -> String? {
        for parameter in type.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
            if parts.count == 2, parts[0].lowercased() == "charset" { return parts[1] }
        }
        return nil
    }
}
