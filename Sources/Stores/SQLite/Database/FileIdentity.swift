// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Which file a path leads to, whatever it is called.
struct FileIdentity: Equatable {
    private let device: UInt
    private let number: UInt

    /// Asks the system; `nil` where there is none.
    init?(of path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        device = UInt(facts.st_dev)
        number = UInt(facts.st_ino)
    }
}
