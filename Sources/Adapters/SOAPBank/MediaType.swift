// SPDX-License-Identifier: Apache-2.0

/// What the Content-Type of a request says.
///
/// The document itself counts more: scripts name all sorts of types.
struct MediaType {
    /// In small letters, without blanks and quotes.
    private let text: String
    /// The encoding of the body, where one is named.
    let charset: String?

    /// Reads the header's value.
    init(_ header: String?) {
        // What nearly every client sends, and then nothing needs taking apart.
        if header == nil || header == "text/xml; charset=utf-8" || header == "text/xml; charset=UTF-8" {
            text = "text/xml"
            charset = header == nil ? nil : "utf-8"
            return
        }
        text = (header ?? "").lowercased().filter { $0 != " " && $0 != "\"" }
        let parameters = text.split(separator: ";").dropFirst()
        charset = parameters.first { $0.hasPrefix("charset=") }.map { String($0.dropFirst(8)) }
    }

    /// Whether the body is certainly no envelope: an attachment's package (MTOM) or JSON.
    var isForeign: Bool { text.hasPrefix("multipart/") || text.hasPrefix("application/json") }

    /// The version to answer in where the envelope does not say.
    var version: SOAPVersion { text.hasPrefix("application/soap+xml") ? .v12 : .v11 }
}
