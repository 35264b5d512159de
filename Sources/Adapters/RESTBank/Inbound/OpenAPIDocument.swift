// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import NotificationJSON

/// The OpenAPI 3.1 document of the API, from the table of its operations and the shapes that check requests.
struct OpenAPIDocument {
    /// The members of a JSON object on their way.
    private typealias Members = [(String, JSONValue)]

    private let path: String
    private let auth: RESTBankSettings.Authentication?

    init(path: String, auth: RESTBankSettings.Authentication?) {
        self.path = path
        self.auth = auth
    }

    var bytes: [UInt8] {
        var writer = JSONWriter(capacity: 16 << 10)
        writer.value(document)
        return writer.bytes
    }

    private var document: JSONValue {
        [
            "openapi": "3.1.0",
            "info": ["title": "busd for banks", "version": "1", "description": .string(Self.description)],
            "servers": [["url": .string(path)]],
            "security": security,
            "paths": JSONValue(members: paths),
            "components": JSONValue(members: [("schemas", JSONValue(members: schemas))] + securitySchemes),
        ]
    }

    private static let description = """
        Send notifications to users and ask what became of them. Lengths are counted in bytes of UTF-8: a text of \
        other than ASCII characters reaches maxLength sooner. Errors are problem documents (RFC 9457).
        """

    // MARK: Calls

    private var paths: Members {
        var paths: Members = []
        for operation in Operation.all where !paths.contains(where: { $0.0 == operation.template }) {
            let same = Operation.all.filter { $0.path == operation.path }
            let calls = same.map { ($0.method.lowercased(), JSONValue(members: describe($0))) }
            paths.append((operation.template, JSONValue(members: calls)))
        }
        return paths
    }

    private func describe(_ operation: Operation) -> Members {
        var members: Members = [("operationId", .string(operation.name)), ("summary", .string(operation.summary))]
        if let parameter = operation.parameter { members.append(("parameters", [Self.parameter(parameter)])) }
        if let body = operation.body {
            members.append(("requestBody", ["required": true, "content": Self.json(.object(body), Self.example)]))
        }
        let success = operation.success
        let answer: JSONValue = [
            "description": .string(success.summary), "content": Self.json(.object(success.shape)),
        ]
        let problems = (operation.problems + commonProblems).sorted { $0.status < $1.status }
        let answers = [("\(success.status)", answer)] + problems.map { ("\($0.status)", Self.problem($0)) }
        members.append(("responses", JSONValue(members: answers)))
        return members
    }

    private static func parameter(_ name: String) -> JSONValue {
        [
            "name": .string(name), "in": "path", "required": true,
            "schema": Shape.identifier(longest: NotificationRules.longestIdentifier).jsonSchema,
        ]
    }

    private static func json(_ shape: Shape, _ example: JSONValue? = nil) -> JSONValue {
        let example: Members = example.map { [("example", $0)] } ?? []
        return ["application/json": JSONValue(members: [("schema", shape.jsonSchema)] + example)]
    }

    private static let example: JSONValue = [
        "id": "n-2031", "recipients": ["ivanov", "petrova"], "timeout": 3600,
        "pushContent": ["badge": 1, "text": "Card *0842: 100 RUB at the corner shop", "type": "UNIVERSAL"],
        "pushDetails": [
            "name": "Payment", "tags": [["key": "city", "value": "Kazan"]],
            "amount": ["currency": "RUB", "fxAmount": 10000],
        ],
    ]

    // MARK: Problems

    private var commonProblems: [(status: Int, summary: String)] {
        let refused: [(status: Int, summary: String)] =
            switch auth {
            case .bearer: [(401, "The bearer token is missing or wrong.")]
            case .clientCertificate: [(403, "The client's certificate is missing or not trusted.")]
            case nil: []
            }
        return refused + [
            (400, "The request cannot be read."), (500, "The bus could not do it; nothing was kept."),
            (503, "The bus is full; try again later."),
        ]
    }

    private static func problem(_ problem: (status: Int, summary: String)) -> JSONValue {
        let header: (name: String, summary: String)? =
            switch problem.status {
            case 401: ("WWW-Authenticate", "Bearer")
            case 503: ("Retry-After", "Seconds to wait.")
            default: nil
            }
        let headers: Members =
            header.map { header in
                [("headers", .object(JSONObject([.init(header.name, Self.header(header.summary))])))]
            } ?? []
        let schema = Shape.object(AnswerShapes.problem).jsonSchema
        return JSONValue(
            members: [("description", .string(problem.summary))] + headers + [
                ("content", ["application/problem+json": ["schema": schema]])
            ]
        )
    }

    private static func header(_ summary: String) -> JSONValue {
        ["description": .string(summary), "required": true, "schema": ["type": "string"]]
    }

    // MARK: Components

    private var schemas: Members {
        var found: [ObjectShape] = []
        for operation in Operation.all {
            if let body = operation.body { Shape.object(body).collectNamed(&found) }
            Shape.object(operation.success.shape).collectNamed(&found)
        }
        Shape.object(AnswerShapes.problem).collectNamed(&found)
        return found.map { ($0.name ?? "", JSONValue(members: $0.schemaMembers)) }
    }

    private var security: JSONValue {
        switch auth {
        case .bearer: [["bearer": []]]
        case .clientCertificate: [["certificate": []]]
        case nil: []
        }
    }

    private var securitySchemes: Members {
        switch auth {
        case .bearer: [("securitySchemes", ["bearer": ["type": "http", "scheme": "bearer"]])]
        case .clientCertificate: [("securitySchemes", ["certificate": ["type": "mutualTLS"]])]
        case nil: []
        }
    }
}
