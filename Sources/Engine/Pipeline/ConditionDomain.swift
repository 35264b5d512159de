// SPDX-License-Identifier: Apache-2.0

import Bus

/// What a `when` can meet at its place in a pipeline: which types, priorities, platforms, apps and tags there are.
struct ConditionDomain {
    /// A device as conditions see it.
    struct Device: Hashable {
        var platform: Platform?
        var app: String?
    }

    /// The tags that there may be.
    enum Tags { case none, namesOnly, all }

    /// One kind of message: any of its types with any of its priorities, and so on; `nil` is "it has none".
    struct Kind {
        var types: [NotificationType?] = [nil]
        var priorities: [Int?] = [nil]
        var devices: [Device] = [Device()]
        var tags = Tags.none
    }

    /// The priorities that notifications have.
    static let priorities = 0...10

    let kinds: [Kind]

    /// Notifications on their way to one of `devices`.
    static func channel(_ devices: [Device]) -> Self {
        Self(kinds: [.notification(NotificationType.allCases, devices)])
    }

    /// PIN codes on their way to a phone number: there is no device to ask about.
    static let phones = Self(kinds: [.notification([.pinCode], [Device()])])

    /// Messages on their way through the stages: notifications, which have no device yet, registrations of `devices`,
    /// and others, of which nothing is known.
    static func stage(_ devices: [Device]) -> Self {
        Self(kinds: [
            .notification(NotificationType.allCases, [Device()]), Kind(devices: devices, tags: .namesOnly), Kind(),
        ])
    }

    /// The devices of some apps on some platforms; where the apps are not known, of those that are asked for and one
    /// other.
    static func devices(_ apps: [AppDeclaration]?, on platforms: Set<Platform>, asked: Set<String>) -> [Device] {
        let all = (apps ?? asked.union([""]).map { AppDeclaration(id: $0) }).flatMap { app in
            platforms.sorted { $0.rawValue < $1.rawValue }.filter { app.platform == nil || app.platform == $0 }
                .map { Device(platform: $0, app: app.id) }
        }
        // A channel that none of the apps needs is no fault of its condition.
        if all.isEmpty, apps != nil { return devices(nil, on: platforms, asked: asked) }
        return Array(Set(all))
    }
}

extension ConditionDomain.Kind {
    fileprivate static func notification(_ types: [NotificationType], _ devices: [ConditionDomain.Device]) -> Self {
        Self(types: types, priorities: Array(ConditionDomain.priorities), devices: devices, tags: .all)
    }
}
