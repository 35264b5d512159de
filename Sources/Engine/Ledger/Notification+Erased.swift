// SPDX-License-Identifier: Apache-2.0

package import Bus

extension Notification {
    /// What is left of a PIN code's notification when its code is erased.
    package var erased: Notification {
        var copy = self
        copy.content.text = ""
        copy.content.target = nil
        copy.details = nil
        return copy
    }
}

extension PushDetails {
    /// The tag that holds the phone of a notification's one recipient, for text messages.
    package static let phoneTag = "phone"

    /// What an app may see of it; `nil` where that is nothing.
    package func shown(hidesPhone: Bool) -> PushDetails? {
        var copy = self
        if hidesPhone { copy.tags.removeAll { $0.key == Self.phoneTag } }
        return copy == PushDetails() ? nil : copy
    }
}
