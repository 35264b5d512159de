// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Paths with `*`, `?` and `[…]` in them, as in a shell.
enum PathPattern {
    private static let testSuffix = ".test.yaml"

    /// Returns the files that match, sorted; a path without such characters is returned as it is, there or not.
    ///
    /// Test cases lie beside the pipelines they test, so patterns leave them out.
    static func paths(matching pattern: String) -> [String] {
        guard pattern.contains(where: { "*?[".contains($0) }) else { return [pattern] }
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { index in
            guard let path = found.gl_pathv[index].map({ String(cString: $0) }) else { return nil }
            return path.hasSuffix(testSuffix) ? nil : path
        }
    }
}
