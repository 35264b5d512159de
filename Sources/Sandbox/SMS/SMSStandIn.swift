// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPClient
import HTTPServer
import Threads

extension PushStandIn {
    /// Starts a stand-in for an SMS gateway: HTTP/1.1, and calls of its own to report what became of messages.
    static func sms(port: UInt16, options: SandboxOptions) throws -> PushStandIn {
        let path = "/cgi-bin/sendsms"
        return try PushStandIn(desk: SMSDesk(capacity: options.recordLimit), path: path) { react in
            let closing = Gate()
            let client = HTTPClient(name: "sandbox-sms")
            let route = HTTPRoute(.exact, path: path, methods: ["GET", "POST"]) { request in
                let reaction = react(PushRequest(sendsms: request))
                if reaction.delay > 0 { try? await Task.sleep(for: .milliseconds(reaction.delay)) }
                if !reaction.calls.isEmpty {
                    // Like Kannel's, they come when they come: the answer does not wait for them.
                    Task {
                        for address in reaction.calls { _ = try? await client.send(HTTPClientRequest(url: address)) }
                    }
                }
                guard case .answer(let status, let fields, let body) = reaction.act else {
                    await closing.wait()
                    return HTTPResponse(status: 503)
                }
                let headers = fields.map { (name: $0.key, value: $0.value) }
                return HTTPResponse(status: status, contentType: "text/html", headers: headers, body: body)
            }
            let server = try HTTPServer(listen: ["127.0.0.1:\(port)"], routes: [route])
            return PlainServer(port: server.addresses[0].port) {
                closing.open()
                await server.stop(drain: .seconds(1))
                client.stop()
            }
        }
    }
}

extension PushRequest {
    /// The parameters that a gateway looks at, and their names as header fields of a POST.
    private static let parameters = [
        ("username", "Username"), ("password", "Password"), ("to", "To"), ("from", "From"), ("coding", "Coding"),
        ("validity", "Validity"), ("priority", "Priority"), ("dlr-mask", "DLR-Mask"), ("dlr-url", "DLR-Url"),
    ]

    /// Reads a call of `sendsms` in either form.
    fileprivate init(sendsms request: HTTPRequest) {
        let isPost = request.method == "POST"
        var fields = Self.parameters.compactMap { name, field in
            (isPost ? request.headers["X-Kannel-\(field)"] : request.queryValue(name)).map { (name: name, value: $0) }
        }
        if !isPost, let charset = request.queryValue("charset") { fields.append((name: "charset", value: charset)) }
        let text = isPost ? request.body : Array((request.queryValue("text") ?? "").utf8)
        self.init(method: request.method, path: request.path, headers: fields, body: text)
    }
}
