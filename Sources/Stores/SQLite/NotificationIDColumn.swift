// SPDX-License-Identifier: Apache-2.0

import Bus
import SQLite

extension Statement {
    /// Binds a bank's id as its bytes, which is what SQLite then compares.
    func bind(id: NotificationID, at index: Int32) { bind(Array(id.text.utf8), at: index) }

    /// A bank's id as it was bound.
    func notificationID(_ column: Int32) -> NotificationID {
        NotificationID(String(decoding: bytes(column), as: UTF8.self))
    }
}
