// SPDX-License-Identifier: Apache-2.0

extension Schema {
    // What an operator stopped, by the name it has in its pipeline: channels and bank links alike.
    static let pauses = """
        CREATE TABLE pause (
            pipeline INTEGER NOT NULL,
            item TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (pipeline, item)
        ) WITHOUT ROWID
        """
}
