// SPDX-License-Identifier: Apache-2.0

extension Schema {
    // A token belongs to a phone and one program on it, whatever app id that program gives. `is_sorted` says that the
    // deliveries of a large notification are in the order of their recipients, so that one is found by halving.
    // `bank_order` keeps the bank's order of them, only where it is another: a bank gets its list back in its own. That
    // is long, so it is no column of the notification, whose row is written again later.
    // The last index tells whether a notification has dead letters.
    static let retention = """
        DROP INDEX subscription_token;
        CREATE INDEX subscription_token ON subscription (pipeline, token);
        ALTER TABLE notification ADD COLUMN is_sorted INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE bank_order (notification INTEGER PRIMARY KEY, places BLOB NOT NULL);
        CREATE INDEX dead_letter_notification ON dead_letter (notification)
        """
}
