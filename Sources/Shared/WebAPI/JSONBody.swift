// SPDX-License-Identifier: Apache-2.0

public import Bus
import Compression
public import JSON

extension HTTPRequest {
    /// The body as JSON; a missing Content-Type counts as JSON.
    ///
    /// What is compressed may grow to `decoded` bytes; a caller that allows much does not read it on the server's thread.
    ///
    /// - Returns: the answer to give, 415, 413 or 400, where it is not.
    public func jsonBody(
        limits: JSONLimits = JSONLimits(),
        decoded: Int = 64 << 10
    ) -> Result<JSONValue, CallFailure> {
        if let type = headers["Content-Type"], !isJSON(type) {
            let detail = "the body must be application/json in UTF-8"
            return .failure(CallFailure(ProblemDocument(415, "UNSUPPORTED_MEDIA_TYPE", detail)))
        }
        do throws(CallFailure) {
            let text = try decodedBody(limit: decoded)
            // A mark at the beginning may be passed over (RFC 8259, 8.1), and Windows' programs write one.
            let mark: [UInt8] = [0xef, 0xbb, 0xbf]
            return .success(try Self.parse(text.starts(with: mark) ? Array(text.dropFirst(3)) : text, limits))
        } catch {
            return .failure(error)
        }
    }

    private static func parse(_ text: [UInt8], _ limits: JSONLimits) throws(CallFailure) -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: text, limits: limits)
        } catch {
            throw CallFailure(.malformed("the body is not JSON: \(error.description)"))
        }
    }

    /// The body without its compression, of at most `limit` bytes.
    private func decodedBody(limit: Int) throws(CallFailure) -> [UInt8] {
        do throws(ContentCoding.Failure) {
            return try ContentCoding.decode(body, header: headers["Content-Encoding"], limit: limit)
        } catch .unknown {
            let accepted = (name: "Accept-Encoding", value: ContentCoding.accepted)
            let detail = "the body's Content-Encoding is not read here; use gzip or none"
            throw CallFailure(ProblemDocument(415, "UNSUPPORTED_MEDIA_TYPE", detail, headers: [accepted]))
        } catch .tooLarge {
            throw CallFailure(ProblemDocument(.bodyTooLarge(limit: limit)))
        } catch {
            throw CallFailure(.malformed("the body is not the gzip that its Content-Encoding says"))
        }
    }
}

/// A problem on its way to the caller.
public struct CallFailure: Error, Sendable {
    /// The problem.
    public let problem: ProblemDocument

    /// Carries a problem.
    public init(_ problem: ProblemDocument) { self.problem = problem }
}

/// Whether a media type is JSON: `application/json` or anything `+json`, in UTF-8 where it names a charset.
private func isJSON(_ type: String) -> Bool {
    let parts = type.lowercased().split(separator: ";").map { part in part.filter { $0 != " " && $0 != "\t" } }
    guard let name = parts.first, name == "application/json" || name.hasSuffix("+json") else { return false }
    return parts.dropFirst().allSatisfy { parameter in
        !parameter.hasPrefix("charset=") || parameter.dropFirst(8).filter { $0 != "\"" && $0 != "'" } == "utf-8"
    }
}
