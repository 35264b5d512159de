// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Crypto
import Threads

/// What is to be said of the dates of a certificate that a configuration names.
public enum CertificateDates {
    private static let day: Int64 = 86_400_000
    private static let warningDays: Int64 = 30

    /// What is wrong with the dates of a certificate that the bus shows to others; goes on after its name.
    ///
    /// One that nobody would accept is an error; one that soon will not be is a doubt.
    public static func problem(
        ofOwn facts: CertificateFacts,
        now: WallTime
    ) -> (severity: Diagnostic.Severity, text: String)? {
        if let text = refusal(facts, now: now) { return (.error, "\(text): whoever looks at dates will refuse it") }
        let left = WallTime(seconds: facts.notAfter).milliseconds(since: now) / day
        guard left < warningDays else { return nil }
        return (.warning, "expires in \(left) day\(left == 1 ? "" : "s"), on \(date(facts.notAfter))")
    }

    /// What is wrong with the certificates of an authority, of which one that is valid is enough; each goes on after
    /// the file's name.
    ///
    /// One that is out of date is a doubt, for a file may hold the old and the new; where all are, that is an error.
    public static func problems(
        ofAuthorities all: [CertificateFacts],
        now: WallTime
    ) -> [(severity: Diagnostic.Severity, text: String)] {
        guard !all.isEmpty else { return [(.error, "holds no PEM certificate")] }
        let refused = all.compactMap { facts in
            refusal(facts, now: now).map { "holds the certificate of \(facts.name ?? "nobody"), which \($0)" }
        }
        let isUseless = refused.count == all.count
        return refused.map { isUseless ? (.error, $0 + ", and none that is valid now") : (.warning, $0) }
    }

    private static func refusal(_ facts: CertificateFacts, now: WallTime) -> String? {
        if WallTime(seconds: facts.notAfter) < now { return "has expired on \(date(facts.notAfter))" }
        guard now < WallTime(seconds: facts.notBefore) else { return nil }
        return "is not valid before \(Timestamp.text(WallTime(seconds: facts.notBefore))), and it is"
            + " \(Timestamp.text(now)) now"
    }

    private static func date(_ seconds: Int64) -> String {
        String(Timestamp.text(WallTime(seconds: min(seconds, latest))).prefix { $0 != "T" })
    }

    /// The end of the year 9999, which certificates without an end name.
    private static let latest: Int64 = 253_402_300_799
}
