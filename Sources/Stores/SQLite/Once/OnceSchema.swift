// SPDX-License-Identifier: Apache-2.0

extension Schema {
    // A journal of the keys that were taken, read at the start alone: what is taken is known in memory, so there is no
    // index to keep, and a row costs next to nothing.
    static let once = """
        CREATE TABLE once (
            seq INTEGER PRIMARY KEY,
            high INTEGER NOT NULL,
            low INTEGER NOT NULL,
            until INTEGER NOT NULL
        );
        """
}
