// SPDX-License-Identifier: Apache-2.0

/// The texts a bank sends.
enum SOAPText {
    static func envelope(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>
        \(body)
        </soapenv:Body></soapenv:Envelope>
        """
    }

    static func notification(
        _ id: String,
        to users: [String],
        text: String = "hello",
        timeout: Int = 600,
        more: String = ""
    ) -> String {
        """
        <sendNotification><notification><id>\(id)</id><pushContent><badge>0</badge><text>\(text)</text>\
        <type>UNIVERSAL</type></pushContent>\
        \(users.map { "<recipients>\($0)</recipients>" }.joined())<timeout>\(timeout)</timeout>\(more)\
        </notification></sendNotification>
        """
    }

    /// A whole HTTP request, for the load client.
    static func request(_ body: String) -> [UInt8] {
        post(World.soapPath, "text/xml; charset=utf-8", envelope(body))
    }

    /// The same for any path and type.
    static func post(_ path: String, _ type: String, _ body: String) -> [UInt8] {
        let head = """
            POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: \(type)\r\n\
            Content-Length: \(body.utf8.count)\r\n\r\n
            """
        return Array((head + body).utf8)
    }
}
