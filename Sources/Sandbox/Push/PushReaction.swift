// SPDX-License-Identifier: Apache-2.0

/// What a stand-in does about a request.
struct PushReaction: Equatable {
    enum Act: Equatable {
        case answer(status: Int, fields: [String: String], body: [UInt8])
        case silence, refuse, reset, drop
        case goaway(debug: [UInt8])
    }

    var act: Act
    /// Milliseconds to wait first.
    var delay = 0
    /// What the connection's stream limit becomes.
    var streamLimit: Int?
    /// Addresses that the stand-in calls afterwards, one after the other.
    var calls: [String] = []
}
