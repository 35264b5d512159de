// SPDX-License-Identifier: Apache-2.0

/// One request to the APNs stand-in, whole.
struct APNsRequest {
    var method: String
    var path: String
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// What stands where the device token belongs.
    var token: String { String(path.split(separator: "/").last ?? "") }
}
