// SPDX-License-Identifier: Apache-2.0

package import Bus
package import JSON
package import WebAPI

extension Registration {
    /// Reads what an app sends to register a device.
    ///
    /// Members that are not known are passed over: apps are older and newer than the bus.
    package static func read(_ body: JSONValue, credential: Credential) -> Result<Registration, CallFailure> {
        var fields = JSONFields(body)
        let app = fields.id("appId")
        let user = fields.id("userId")
        let deviceID = fields.id("deviceId")
        let platform = fields.name("platform", of: Platform.self, required: true)
        let token = fields.normalizedToken(for: platform)
        let registration = Registration(
            app: app ?? "",
            user: Recipient(RecipientID(user ?? "")),
            bankClientID: fields.id("bankClientId", required: false),
            deviceID: deviceID ?? "",
            platform: platform ?? .ios,
            token: token ?? "",
            appVersion: fields.word("appVersion"),
            osVersion: fields.word("osVersion"),
            language: fields.word("language"),
            phone: fields.phone("phone"),
            tags: fields.tags("tags"),
            credential: credential
        )
        // What was missing above has left a problem, so its stand-in never gets out.
        if !fields.problems.isEmpty { return .failure(CallFailure(.invalid(fields.refusedFields))) }
        return .success(registration)
    }
}

extension JSONFields {
    fileprivate mutating func normalizedToken(for platform: Platform?) -> String? {
        guard let token = token("token", for: platform), let platform else { return nil }
        switch DeviceToken.normalized(token, for: platform) {
        case .success(let normalized): return normalized
        case .failure(let refusal):
            for field in refusal.fields { problem(field.path, field.message) }
            return nil
        }
    }
}
