// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Lines for whoever started this program, each at once: a pipe would else keep them back.
enum Output {
    static func line(_ text: String) { write(text, to: 1) }

    static func error(_ text: String) { write(text, to: 2) }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array((text + "\n").utf8)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}
