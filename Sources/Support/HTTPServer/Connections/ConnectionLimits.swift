// SPDX-License-Identifier: Apache-2.0

/// The bounds of one listener's connections.
struct ConnectionLimits {
    /// Connections in all.
    var all: Int
    /// Connections of one address, where it is not this machine's own.
    var perAddress: Int
    /// Bytes for one connection's head.
    var memory: Int
    var idleSeconds: Int64
    var headSeconds: Int64
    var bodySeconds: Int64

    /// How long a client may let us wait; `nil` where it does not.
    func seconds(of phase: Connection.Phase) -> Int64? {
        switch phase {
        case .idle: idleSeconds
        case .head: headSeconds
        case .body: bodySeconds
        case .running: nil
        }
    }
}
