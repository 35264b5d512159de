// SPDX-License-Identifier: Apache-2.0

public import Bus
public import JSON

extension HTTPRequest {
    /// The body as JSON; a missing Content-Type counts as JSON.
    ///
    /// - Returns: the answer to give, 415 or 400, where it is not.
    public func jsonBody(limits: JSONLimits = JSONLimits()) -> Result<JSONValue, CallFailure> {
        if let type = headers["Content-Type"], !isJSON(type) {
            let detail = "the body must be application/json in UTF-8"
            return .failure(CallFailure(ProblemDocument(415, "UNSUPPORTED_MEDIA_TYPE", detail)))
        }
        do throws(JSONError) {
            return .success(try JSONValue(parsing: body, limits: limits))
        } catch {
            return .failure(CallFailure(.malformed("the body is not JSON: \(error.description)")))
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
        !parameter.hasPrefix("charset=") || ["charset=utf-8", "charset=\"utf-8\""].contains(parameter)
    }
}
