// SPDX-License-Identifier: Apache-2.0

/// What a channel of a pipeline is known by, over restarts and changes of the file: its name in the pipeline.
struct ChannelID: Hashable, Sendable {
    let label: String

    init(_ label: String) { self.label = label }
}
