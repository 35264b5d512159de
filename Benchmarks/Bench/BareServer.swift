// SPDX-License-Identifier: Apache-2.0

import CLinux
import CMicroHTTPD
import Glibc
import Threads

/// libmicrohttpd alone: the least a process can do that takes the same requests over the same library.
enum BareServer {
    static let name = "bare-server"

    // One response for all requests, in the bus's words.
    private static let answer = """
        <?xml version="1.0" encoding="UTF-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">\
        <soap:Body><ns:sendNotificationResponse xmlns:ns="http://inbound.sbi.pigeon.idamobile.com/"><return>\
        <status>OK</status><deliveryStatus><entry><key>user0000001</key><value>QUEUED</value></entry></deliveryStatus>\
        </return></ns:sendNotificationResponse></soap:Body></soap:Envelope>
        """

    /// Serves until its input ends; says the port.
    static func serve() throws {
        var body = Array(answer.utf8)
        let response = MHD_create_response_from_buffer(body.count, &body, .RESPMEM_MUST_COPY)
        MHD_add_response_header(response, "Content-Type", "text/xml; charset=utf-8")
        var options = busd_mhd_options()
        options.connection_memory = 16 << 10
        options.begin = { _, _, _ in nil }
        options.handler = handle
        options.context = response.map { UnsafeMutableRawPointer($0) }
        guard let daemon = busd_mhd_start(&options) else { throw BenchFailure("libmicrohttpd does not start") }
        let listener = busd_listen(0, 1)
        guard listener >= 0 else { throw BenchFailure("cannot listen") }
        Output.line("\(busd_local_port(listener))")
        _ = fcntl(listener, F_SETFL, 0)
        let accepting = Acceptor(daemon: daemon, listener: listener)
        _ = NamedThread("bench-accept") { accepting.run() }
        while readLine() != nil {}
    }

    /// Called for the head, for each part of the body, and at its end.
    private static let handle: MHD_AccessHandlerCallback = { response, connection, _, _, _, _, size, slot in
        guard let slot, let size else { return .NO }
        if slot.pointee == nil {
            slot.pointee = response
            return .YES
        }
        if size.pointee > 0 {
            size.pointee = 0
            return .YES
        }
        return MHD_queue_response(connection, 200, response.map { OpaquePointer($0) })
    }

    /// `@unchecked`: written once, before its thread starts; libmicrohttpd takes connections from any thread.
    private struct Acceptor: @unchecked Sendable {
        let daemon: OpaquePointer
        let listener: Int32

        func run() {
            while true {
                var address = sockaddr()
                var size = socklen_t(MemoryLayout<sockaddr>.size)
                let client = accept(listener, &address, &size)
                guard client >= 0 else { return }
                _ = fcntl(client, F_SETFL, O_NONBLOCK)
                MHD_add_connection(daemon, client, &address, size)
            }
        }
    }
}
