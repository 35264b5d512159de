// SPDX-License-Identifier: Apache-2.0

public import Bus

/// Reads YAML 1.2 files into the bus's configuration tree.
///
/// Scalars keep their text and whether they were quoted; what a plain one means is decided by whoever wants a value,
/// which is the 1.2 core schema: only `true` and `false` are booleans, `no` and `0123` are strings.
public enum YAML {
    /// Larger files are refused.
    public static let largestFile = 1 << 20

    /// Reads one document and adds what is wrong to `diagnostics`.
    ///
    /// - Returns: `nil` where the text is not YAML. A key given twice is a diagnostic, and the rest can still be read.
    public static func compose(
        _ bytes: [UInt8],
        file: String,
        optional: Bool = false,
        diagnostics: inout [Diagnostic]
    ) -> ConfigurationNode? {
        do throws(ConfigurationError) {
            let source = try SourceText(bytes, file: file)
            var composer = try Composer(source, optional: optional)
            let root = try composer.compose()
            diagnostics += composer.diagnostics
            return root
        } catch {
            diagnostics += error.diagnostics
            return nil
        }
    }

    /// Reads one document.
    ///
    /// - Throws: ``ConfigurationError`` with everything that is wrong.
    public static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> ConfigurationNode {
        var diagnostics: [Diagnostic] = []
        let root = compose(bytes, file: file, diagnostics: &diagnostics)
        guard let root, !diagnostics.hasErrors else { throw ConfigurationError(diagnostics) }
        return root
    }

    /// Reads one document.
    ///
    /// - Throws: ``ConfigurationError`` with everything that is wrong.
    public static func parse(_ text: String, file: String) throws(ConfigurationError) -> ConfigurationNode {
        try parse(Array(text.utf8), file: file)
    }

    /// Reads a file and adds what is wrong to `diagnostics`; blocks the calling thread.
    ///
    /// With `optional`, a file of nothing but comments is an empty map.
    ///
    /// - Returns: `nil` where it cannot be read or is not YAML.
    public static func load(
        _ path: String,
        optional: Bool = false,
        diagnostics: inout [Diagnostic]
    ) -> ConfigurationNode? {
        do throws(SmallFile.ReadError) {
            let bytes = try SmallFile.read(path, atMost: largestFile)
            return compose(bytes, file: path, optional: optional, diagnostics: &diagnostics)
        } catch {
            diagnostics.append(.error(at: SourceMark(file: path), "cannot be read: \(error.reason)"))
            return nil
        }
    }
}
