// SPDX-License-Identifier: Apache-2.0

/// The advice "did you mean" for names that people mistype.
public enum Suggestion {
    /// Longer names are not compared: nobody mistypes them, and the work grows with the square.
    private static let longest = 64

    /// Returns the candidate that `name` is most likely a slip of, or `nil` where none is close.
    public static func closest(to name: String, in candidates: some Sequence<String>) -> String? {
        guard name.utf8.count <= longest else { return nil }
        let typed = Array(name.lowercased().unicodeScalars)
        let allowed = max(1, typed.count / 3)
        var best: (name: String, distance: Int)?
        for candidate in candidates where candidate.utf8.count <= longest && candidate != name {
            let other = Array(candidate.lowercased().unicodeScalars)
            // A word cut short is no slip of many letters: `warn` for `warning`.
            let isBeginning = typed.count >= 3 && other.starts(with: typed)
            let distance = isBeginning ? 1 : distance(typed, other)
            if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// Returns `; did you mean 'X'?` to end a sentence with, or nothing where no candidate is close.
    public static func clause(for name: String, in candidates: some Sequence<String>) -> String {
        closest(to: name, in: candidates).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// Counts insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var older: [Int] = []
        var previous = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, older[column - 1] + 1)
                }
                current.append(best)
            }
            (older, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
