// SPDX-License-Identifier: Apache-2.0

import Bus
import BusStamp

/// Tells busd what this library was built against.
@_cdecl("busd_plugin_stamp")
public func stamp() -> UnsafePointer<CChar> { busd_stamp() }

/// Gives busd this library's modules.
@_cdecl("busd_plugin_register")
public func register(_ registry: UnsafeMutableRawPointer) {
    Plugin.register(in: registry) { registry in
        registry.register(AcmeLines.self)
        registry.register(AcmeCurfew.self)
    }
}
