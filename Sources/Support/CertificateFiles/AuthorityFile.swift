// SPDX-License-Identifier: Apache-2.0

public import Bus
import Crypto

/// The file of an option like `ca`: certificates that are trusted in addition to the system's.
public enum AuthorityFile {
    /// Reads the file at the check and reports what is wrong with it.
    public static func check(_ path: FilePath?, key: String = "ca", now: WallTime = .now(), _ check: inout ModuleCheck)
    {
        guard let path, let bytes = check.read(path, key) else { return }
        for problem in CertificateDates.problems(ofAuthorities: CertificateBundle.facts(in: bytes), now: now) {
            let message = "'\(key)' \(path.written) \(problem.text)"
            check.report(problem.severity, at: path.mark, message)
        }
    }
}
