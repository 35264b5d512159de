// SPDX-License-Identifier: Apache-2.0

/// One request to a stand-in, whole.
struct PushRequest {
    var method: String
    var path: String
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
