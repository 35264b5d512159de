// SPDX-License-Identifier: Apache-2.0

extension HTTP2Loop {
    /// The loop of the process: one thread drives the connections to all providers, and it is never stopped.
    public static let shared = HTTP2Loop()
}
