// SPDX-License-Identifier: Apache-2.0

import Bus
import BusStamp
import Glibc

/// Loads dynamic libraries with further modules.
enum PluginLoader {
    private typealias Stamp = @convention(c) () -> UnsafePointer<CChar>?
    private typealias Register = @convention(c) (UnsafeMutableRawPointer) -> Void

    /// Loads libraries into the process, for good, and registers their modules; returns what is wrong with them.
    static func load(_ paths: [FilePath], into registry: inout Registry) -> [Diagnostic] {
        var found: [Diagnostic] = []
        for plugin in paths {
            do throws(SettingsProblem) { try load(plugin.resolved, into: &registry) } catch {
                let mark = plugin.mark ?? SourceMark(file: plugin.resolved)
                found.append(.error(at: mark, "the plugin '\(plugin.written)' \(error.message)"))
            }
        }
        return found
    }

    /// Loads a library into the process, for good, and registers its modules.
    ///
    /// - Throws: ``SettingsProblem`` that says what is wrong with the library and what to do.
    static func load(_ path: String, into registry: inout Registry) throws(SettingsProblem) {
        // A path without a slash would be looked for in the system's folders.
        let file = path.contains("/") ? path : "./\(path)"
        if let problem = SmallFile.problem(of: file) { throw SettingsProblem("cannot be loaded: \(problem)") }
        guard let library = dlopen(file, RTLD_NOW | RTLD_LOCAL) else {
            throw refusal(dlerror().map { String(cString: $0) } ?? "no reason given")
        }
        guard let stampSymbol = dlsym(library, Plugin.stampSymbol),
            let registerSymbol = dlsym(library, Plugin.registerSymbol)
        else { throw SettingsProblem("is no plugin: it has no \(Plugin.stampSymbol) and \(Plugin.registerSymbol)") }
        let stamp = unsafeBitCast(stampSymbol, to: Stamp.self)().map { String(cString: $0) } ?? ""
        let own = String(cString: busd_stamp())
        guard stamp == own else {
            throw SettingsProblem(
                "was built against another Bus or by another compiler; \(advice) (it says '\(stamp)', this is '\(own)')"
            )
        }
        let known = registry.conflicts.count
        let register = unsafeBitCast(registerSymbol, to: Register.self)
        registry.addPlugin { registry in
            withUnsafeMutablePointer(to: &registry) { register(UnsafeMutableRawPointer($0)) }
        }
        let taken = registry.conflicts.dropFirst(known)
        if !taken.isEmpty {
            throw SettingsProblem("registers names that are taken: \(taken.joined(separator: ", "))")
        }
    }

    private static let advice = "build it anew against this release's Sources/Bus"

    /// A name of Bus that is not there any more is the loader's, not the library's, way to say that Bus has changed.
    private static func refusal(_ reason: String) -> SettingsProblem {
        let isAboutBus = reason.contains("undefined symbol: $s3Bus") || reason.contains("undefined symbol: $s8BusStamp")
        if isAboutBus { return SettingsProblem("was built against another Bus; \(advice) (\(reason))") }
        return SettingsProblem("cannot be loaded: \(reason)")
    }
}
