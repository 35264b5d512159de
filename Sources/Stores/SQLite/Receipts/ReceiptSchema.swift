// SPDX-License-Identifier: Apache-2.0

extension Schema {
    // `aftermath` holds the flags of `Aftermath`: what is left to do when a notification's time has passed. It is 0 for
    // nearly all, which are in no index then. `event.status` is the end that a receipt took back; 0 for a problem.
    // The last index is for the sweep of silent subscriptions; its expression is `SubscriptionSigns.last`.
    static let receipts = """
        ALTER TABLE notification ADD COLUMN aftermath INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX notification_aftermath ON notification (pipeline, expires) WHERE aftermath;
        ALTER TABLE event ADD COLUMN status INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE receipt (
            delivery INTEGER NOT NULL,
            subscription INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            at INTEGER NOT NULL,
            button TEXT,
            PRIMARY KEY (delivery, subscription, kind)
        ) WITHOUT ROWID;
        CREATE TABLE app_event (
            subscription INTEGER NOT NULL,
            name TEXT NOT NULL,
            at INTEGER NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (subscription, name)
        ) WITHOUT ROWID;
        CREATE TRIGGER app_event_end AFTER DELETE ON subscription BEGIN
            DELETE FROM app_event WHERE subscription = old.seq;
        END;
        ALTER TABLE pipeline ADD COLUMN sign_interval INTEGER NOT NULL DEFAULT 86400000;
        ALTER TABLE subscription ADD COLUMN seen INTEGER;
        CREATE INDEX subscription_subscriber ON subscription (pipeline, subscriber);
        CREATE INDEX subscription_sign ON subscription (pipeline, \(SubscriptionSigns.last))
        """
}

/// When a device was last heard of.
enum SubscriptionSigns {
    /// The last registration or token, accepted push or receipt.
    static let last = "max(token_at, coalesce(last_success, 0), coalesce(seen, 0))"
}

/// What is left to do when a notification's time has passed.
struct Aftermath: OptionSet {
    let rawValue: Int64
    /// Its content is a PIN code's and has to be erased.
    static let secret = Aftermath(rawValue: 1)
    /// Some link wants to know who had no receipt.
    static let unconfirmed = Aftermath(rawValue: 2)
}
