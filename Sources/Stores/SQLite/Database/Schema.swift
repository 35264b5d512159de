// SPDX-License-Identifier: Apache-2.0

/// The tables, as numbered steps: a database of version n has the first n.
///
/// A step is never changed once released. Times are milliseconds since 1970, states the numbers of `StatusCode`.
enum Schema {
    static let migrations: [String] = [
        first, receipts, callbacks, quarantine, verifications, fallback, retention, invalidTokens, pauses, once,
        tallies, chunks,
    ]

    /// Tells our files from other programs' ("busd").
    static let applicationID: Int64 = 0x6275_7364

    // Integer keys, one partial index and the timeline's normal steps as columns: text keys, a status index and an
    // event row for each step made a delivery four times as dear. `spellings` is NULL where the bank's one spelling is
    // the recipient itself. The deliveries of a notification are consecutive, so none needs an index on it.
    private static let first = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE pipeline (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            swept_until INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE notification (
            seq INTEGER PRIMARY KEY,
            pipeline INTEGER NOT NULL,
            id NOT NULL,
            content BLOB NOT NULL,
            accepted INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            first_delivery INTEGER NOT NULL,
            delivery_count INTEGER NOT NULL
        );
        CREATE UNIQUE INDEX notification_id ON notification (pipeline, id);
        CREATE INDEX notification_expires ON notification (pipeline, expires);
        CREATE TABLE delivery (
            seq INTEGER PRIMARY KEY,
            notification INTEGER NOT NULL,
            recipient TEXT NOT NULL,
            spellings BLOB,
            queue INTEGER NOT NULL,
            priority INTEGER NOT NULL,
            due INTEGER NOT NULL,
            open INTEGER NOT NULL,
            status INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            sent INTEGER,
            delivered INTEGER,
            read INTEGER,
            closed INTEGER,
            channel TEXT
        );
        CREATE INDEX delivery_open ON delivery (queue, priority DESC, due) WHERE open;
        CREATE TABLE attempt (
            delivery INTEGER NOT NULL,
            device INTEGER NOT NULL,
            PRIMARY KEY (delivery, device)
        ) WITHOUT ROWID;
        CREATE TABLE event (
            seq INTEGER PRIMARY KEY,
            delivery INTEGER NOT NULL,
            at INTEGER NOT NULL,
            text TEXT NOT NULL
        );
        CREATE INDEX event_delivery ON event (delivery);
        CREATE TABLE subscription (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
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
            last_success INTEGER
        );
        CREATE INDEX subscription_user ON subscription (pipeline, user);
        CREATE INDEX subscription_device ON subscription (pipeline, device, app);
        CREATE INDEX subscription_token ON subscription (pipeline, app, token);
        """
}
