// SPDX-License-Identifier: Apache-2.0

import Bus
import SOAPBank
import TestSupport
import Testing
import YAML

/// The adapter, called as the HTTP server would.
struct Bank {
    let intake: RecordingIntake
    let door: RecordingDoorkeeper
    let route: HTTPRoute

    init(reply: Reply = .accepted([]), options: String = "", door: RecordingDoorkeeper = .init()) throws {
        self.door = door
        let intake = RecordingIntake(reply)
        let node = try YAML.parse("path: /bank\n" + options, file: "p.yaml")
        let log = Log(minimum: .error) { _, _, _ in }
        let context = ModuleContext(pipeline: "p", label: "soap_bank", log: log, intake: intake, door: door)
        self.intake = intake
        route = try #require(SOAPBank(settings: SOAPBankSettings.read(node), context: context).routes.first)
    }

    func post(
        _ body: [UInt8],
        _ type: String = "text/xml; charset=utf-8",
        _ headers: [(name: String, value: String)] = []
    ) async -> HTTPResponse {
        let headers = HTTPHeaders([("Content-Type", type), ("SOAPAction", "\"whatever\"")] + headers)
        return await route.serve(HTTPRequest(method: "POST", path: "/bank", headers: headers, body: body))
    }

    func post(_ body: String, _ headers: [(name: String, value: String)] = []) async -> HTTPResponse {
        await post(Array(body.utf8), headers)
    }

    private func post(_ body: [UInt8], _ headers: [(name: String, value: String)]) async -> HTTPResponse {
        await post(body, "text/xml; charset=utf-8", headers)
    }

    /// The one notification that got through.
    func notification() throws -> Notification {
        guard intake.messages.count == 1, case .notification(let notification) = intake.messages[0] else {
            throw NoNotification()
        }
        return notification
    }

    struct NoNotification: Error {}
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The text between two markers.
    func part(_ start: String, _ end: String) -> String? {
        guard let first = text.firstRange(of: start), let last = text[first.upperBound...].firstRange(of: end) else {
            return nil
        }
        return String(text[first.upperBound..<last.lowerBound])
    }

    /// The text of a 1.1 fault.
    var faultString: String? { part("<faultstring>", "</faultstring>") }
}

let soap11 = "http://schemas.xmlsoap.org/soap/envelope/"
let soap12 = "http://www.w3.org/2003/05/soap-envelope"
let ourNamespace = "http://inbound.sbi.pigeon.idamobile.com/"

func envelope(_ body: String, header: String = "", version: String = soap11) -> String {
    "<s:Envelope xmlns:s=\"\(version)\">\(header)<s:Body>\(body)</s:Body></s:Envelope>"
}

/// A `sendNotification` whose parts a test replaces.
func send(
    notification: String = "<id>n1</id><recipients>u1</recipients><timeout>1000</timeout>",
    content: String = "<badge>0</badge><text>Hello</text><type>UNIVERSAL</type>",
    more: String = ""
) -> String {
    "<sendNotification><notification>\(notification)<pushContent>\(content)</pushContent>\(more)</notification>"
        + "</sendNotification>"
}
