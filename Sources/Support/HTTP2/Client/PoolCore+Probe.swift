// SPDX-License-Identifier: Apache-2.0

/// A connection for its own sake, to see whether there can be one.
///
/// One in doubt proves nothing: a fresh one is opened beside it.
extension PoolCore {
    /// Answers `nil` once there is an open connection that is not in doubt, or why there is none.
    func connect(_ answer: @escaping @Sendable (HTTP2Failure?) -> Void) {
        if closesAt != nil { return answer(HTTP2Failure(.closed, "the pool is closed")) }
        if connections.contains(where: { $0.phase == .open && !isInDoubt($0) }) { return answer(nil) }
        probes.append(answer)
        if connections.contains(where: \.isOpening) { return }
        guard backoff.notBefore <= now, connections.count < connectionBound else { return answerProbes(lateness) }
        openConnection()
    }

    /// Tells all who asked.
    func answerProbes(_ failure: HTTP2Failure?) {
        let waiting = probes
        probes = []
        for answer in waiting { answer(failure) }
    }
}
