// SPDX-License-Identifier: Apache-2.0

extension Schema {
    // A large notification has a row in `expansion` as long as some of its recipients are no deliveries yet: those from
    // the number `reached` on, but for a few that were made ahead. `waiting` counts the open ones among them. `fate` is
    // the status in which they end at `fated` (0: they are to be sent). A chunk is named by the number of its first
    // delivery; its least recipient stands before the long column, so that the search for one reads no more than that.
    static let chunks = """
        CREATE TABLE expansion (
            notification INTEGER PRIMARY KEY,
            queue INTEGER NOT NULL,
            priority INTEGER NOT NULL,
            due INTEGER NOT NULL,
            fallback INTEGER,
            reached INTEGER NOT NULL,
            waiting INTEGER NOT NULL,
            fate INTEGER NOT NULL DEFAULT 0,
            fated INTEGER,
            reason TEXT
        );
        CREATE INDEX expansion_queue ON expansion (queue, priority DESC, notification);
        CREATE TABLE chunk (
            first_delivery INTEGER PRIMARY KEY,
            first_recipient TEXT NOT NULL,
            recipients BLOB NOT NULL
        );
        """
}
