// SPDX-License-Identifier: Apache-2.0

extension Schema {
    // `until` is when nothing is left to know of a row.
    static let tallies = """
        CREATE TABLE tally (
            high INTEGER NOT NULL,
            low INTEGER NOT NULL,
            began INTEGER NOT NULL,
            newer INTEGER NOT NULL,
            older INTEGER NOT NULL,
            until INTEGER NOT NULL,
            PRIMARY KEY (high, low)
        ) WITHOUT ROWID;
        CREATE INDEX tally_until ON tally (until);
        """
}
