// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// Verdicts that an address is dead, waiting for an operator; at most one a subscription, which bounds the table.
    static let quarantine = """
        CREATE TABLE quarantine (
            subscription INTEGER PRIMARY KEY,
            pipeline INTEGER NOT NULL,
            channel TEXT NOT NULL,
            token TEXT,
            registered_until INTEGER NOT NULL,
            reason TEXT NOT NULL,
            at INTEGER NOT NULL
        );
        CREATE INDEX quarantine_channel ON quarantine (pipeline, channel);
        """

    /// Whether a verdict `q` still stands for a subscription `s`: `SubscriptionRule.stands`, for counting.
    static let verdictStands = """
        s.seq = q.subscription AND (q.token IS NULL OR s.token = q.token) AND s.token_at <= q.registered_until \
        AND coalesce(s.last_success, 0) <= q.at
        """
}
