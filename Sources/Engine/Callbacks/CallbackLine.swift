// SPDX-License-Identifier: Apache-2.0

import Bus

/// A line's next call, in memory until its end is written.
final class CallbackLine: Numbered {
    enum Phase {
        case ready, calling, evicting
    }

    let link: LinkWindow
    let call: QueuedCallback
    var phase = Phase.ready

    init(_ call: QueuedCallback, of link: LinkWindow) {
        self.link = link
        self.call = call
    }

    var number: Int64 { call.line }
}
