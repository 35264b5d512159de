// SPDX-License-Identifier: Apache-2.0

import Bus
import Glibc
import HTTPClient
import HTTPServer
import JSON

/// Asks a running bus over its admin listener.
struct AdminClient: Sendable {
    private let base: String
    private let token: String
    private let client: HTTPClient

    /// Finds the bus by a node file; `BUSD_ADMIN_TOKEN` in the environment goes before the file's token.
    ///
    /// - Throws: ``AdminError`` where the file is wrong or there is no token.
    init(config: String?) throws {
        var files = ConfigurationFiles()
        if let path = config ?? NodeFile.pathInThisFolder { files.addNode(path) }
        DiagnosticList(files.diagnostics).print()
        guard !files.diagnostics.hasErrors else { throw AdminError("the node file is wrong") }
        let given = getenv("BUSD_ADMIN_TOKEN").map { String(cString: $0) }
        guard let token = given ?? files.node.admin.token?.reveal(), !token.isEmpty else {
            throw AdminError("there is no admin token: set BUSD_ADMIN_TOKEN, or admin.token in the node file")
        }
        base = "http://\(files.node.admin.listen.settingsText)"
        self.token = token
        client = HTTPClient()
    }

    /// Sends a request and returns the answer's JSON.
    ///
    /// - Throws: ``AdminError`` where the bus cannot be reached or refuses.
    func ask(_ method: String, _ path: String) async throws -> JSONValue {
        let request = HTTPClientRequest(
            method: method,
            url: base + path,
            headers: [(name: "Authorization", value: "Bearer \(token)")],
            body: []
        )
        let answer: HTTPClientResponse
        do { answer = try await client.send(request) } catch {
            throw AdminError("no bus answers at \(base): \(error)")
        }
        guard answer.status == 200 else {
            let text = String(decoding: answer.body.prefix(500), as: UTF8.self)
            throw AdminError("the bus answers \(answer.status): \(text)")
        }
        return try JSONValue(parsing: answer.body)
    }
}

/// Why a running bus could not be asked.
struct AdminError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
