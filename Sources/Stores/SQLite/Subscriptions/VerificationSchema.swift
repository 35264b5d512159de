// SPDX-License-Identifier: Apache-2.0

extension Schema {
    // The registrations that wait for a code. Numbers only go up, so that the first and the last one bound how many wait.
    static let verifications = """
        CREATE TABLE pending (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            pipeline INTEGER NOT NULL,
            device TEXT NOT NULL,
            user TEXT NOT NULL,
            app TEXT NOT NULL,
            registration BLOB NOT NULL,
            code BLOB,
            tries INTEGER NOT NULL DEFAULT 0,
            expires INTEGER NOT NULL
        );
        CREATE UNIQUE INDEX pending_device ON pending (pipeline, device, user, app);
        CREATE INDEX pending_expires ON pending (expires);
        """
}
