// SPDX-License-Identifier: Apache-2.0

/// What Apple says about a request that it refuses: the status and the `reason` of the body.
struct APNsReason: Error, Equatable {
    let status: Int
    let reason: String

    static let badCollapseId = Self(status: 400, reason: "BadCollapseId")
    static let badDeviceToken = Self(status: 400, reason: "BadDeviceToken")
    static let badExpirationDate = Self(status: 400, reason: "BadExpirationDate")
    static let badMessageId = Self(status: 400, reason: "BadMessageId")
    static let badPriority = Self(status: 400, reason: "BadPriority")
    static let badTopic = Self(status: 400, reason: "BadTopic")
    static let duplicateHeaders = Self(status: 400, reason: "DuplicateHeaders")
    static let invalidPushType = Self(status: 400, reason: "InvalidPushType")
    static let missingDeviceToken = Self(status: 400, reason: "MissingDeviceToken")
    static let missingTopic = Self(status: 400, reason: "MissingTopic")
    static let payloadEmpty = Self(status: 400, reason: "PayloadEmpty")
    static let topicDisallowed = Self(status: 400, reason: "TopicDisallowed")
    static let expiredProviderToken = Self(status: 403, reason: "ExpiredProviderToken")
    static let invalidProviderToken = Self(status: 403, reason: "InvalidProviderToken")
    static let missingProviderToken = Self(status: 403, reason: "MissingProviderToken")
    static let unrelatedKeyId = Self(status: 403, reason: "UnrelatedKeyIdInToken")
    static let badPath = Self(status: 404, reason: "BadPath")
    static let methodNotAllowed = Self(status: 405, reason: "MethodNotAllowed")
    static let payloadTooLarge = Self(status: 413, reason: "PayloadTooLarge")
    static let tooManyProviderTokenUpdates = Self(status: 429, reason: "TooManyProviderTokenUpdates")
}
