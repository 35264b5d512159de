// SPDX-License-Identifier: Apache-2.0

extension Schema {
    // `quarantine.waits`: whether the verdict waits to be judged. `token_guard` is what a channel's guard has to know
    // after a restart; its times are the schedule clock's. `removed_subscription` keeps for a day what verdicts ended,
    // so that it can come back; `channel` is NULL where an operator confirmed it and it never does.
    // `event.device` is the device's id within its app; `delivery.device` the subscription that took it first.
    static let invalidTokens = """
        ALTER TABLE quarantine ADD COLUMN waits INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE token_guard (
            pipeline INTEGER NOT NULL,
            channel TEXT NOT NULL,
            removals BLOB NOT NULL,
            doubted INTEGER,
            waiting INTEGER,
            results INTEGER NOT NULL,
            verdicts INTEGER NOT NULL,
            PRIMARY KEY (pipeline, channel)
        ) WITHOUT ROWID;
        CREATE TABLE removed_subscription (
            seq INTEGER PRIMARY KEY,
            pipeline INTEGER NOT NULL,
            subscriber TEXT NOT NULL,
            user TEXT NOT NULL,
            app TEXT NOT NULL,
            device TEXT NOT NULL,
            platform INTEGER NOT NULL,
            token TEXT NOT NULL,
            token_at INTEGER NOT NULL,
            secret BLOB NOT NULL,
            phone TEXT,
            bank_client TEXT,
            app_version TEXT,
            os_version TEXT,
            language TEXT,
            tags BLOB,
            registered INTEGER NOT NULL,
            last_success INTEGER,
            seen INTEGER,
            channel TEXT,
            reason TEXT NOT NULL,
            removed INTEGER NOT NULL
        );
        CREATE INDEX removed_user ON removed_subscription (pipeline, user);
        CREATE INDEX removed_device ON removed_subscription (pipeline, device, app);
        CREATE INDEX removed_token ON removed_subscription (pipeline, token);
        CREATE INDEX removed_at ON removed_subscription (removed);
        ALTER TABLE event ADD COLUMN device TEXT;
        ALTER TABLE delivery ADD COLUMN device INTEGER
        """

    /// The columns that a subscription keeps while it is aside.
    static let keptColumns = """
        seq, pipeline, subscriber, user, app, device, platform, token, token_at, secret, phone, bank_client, \
        app_version, os_version, language, tags, registered, last_success, seen
        """
}
