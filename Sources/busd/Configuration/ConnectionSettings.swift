// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPServer

/// How many connections a listener takes.
struct ConnectionSettings: ModuleSettings {
    /// In all.
    let limit: Int
    /// From one client.
    let perAddress: Int

    init(from reader: inout SettingsReader) {
        limit = reader.optional(
            "limit",
            "The most connections; beyond it, the client that holds the most gives way.",
            default: 4_096,
            in: 16...1_000_000
        )
        perAddress = reader.optional(
            "per_address",
            "The most from one address, or one IPv6 network of 64 bits; this machine's own have no bound.",
            default: 512,
            in: 1...1_000_000
        )
    }

    /// The server's bounds.
    var options: HTTPServerOptions {
        var options = HTTPServerOptions()
        options.connectionLimit = limit
        options.connectionsPerClient = perAddress
        return options
    }
}
