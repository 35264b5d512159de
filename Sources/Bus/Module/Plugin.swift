// SPDX-License-Identifier: Apache-2.0

/// What a plugin library needs beside its modules: two C symbols, by which the host recognises and fills it.
///
/// ```swift
/// import Bus
/// import BusStamp
///
/// @_cdecl("busd_plugin_stamp")
/// public func stamp() -> UnsafePointer<CChar> { busd_stamp() }
///
/// @_cdecl("busd_plugin_register")
/// public func register(_ registry: UnsafeMutableRawPointer) {
///     Plugin.register(in: registry) { $0.register(AcmeBank.self) }
/// }
/// ```
public enum Plugin {
    /// The symbol that tells what the library was built against.
    public static let stampSymbol = "busd_plugin_stamp"
    /// The symbol that registers its modules.
    public static let registerSymbol = "busd_plugin_register"

    /// Registers modules in the registry that the host handed over; the pointer is the host's for this call only.
    public static func register(in registry: UnsafeMutableRawPointer, _ body: (inout Registry) -> Void) {
        body(&registry.assumingMemoryBound(to: Registry.self).pointee)
    }
}
