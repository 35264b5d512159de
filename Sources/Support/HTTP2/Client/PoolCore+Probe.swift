// SPDX-License-Identifier: Apache-2.0

internal import Threads

/// A connection for its own sake, to see whether there can be one.
extension PoolCore {
    /// Answers `nil` once there is an open connection, or why there is none.
    func connect(_ answer: @escaping @Sendable (HTTP2Failure?) -> Void) {
        if closesAt != nil { return answer(HTTP2Failure(.closed, "the pool is closed")) }
        if connections.contains(where: { $0.phase == .open }) { return answer(nil) }
        probes.append(answer)
        if connections.contains(where: \.isOpening) { return }
        guard backoff.notBefore <= now else { return answerProbes(lastFailure) }
        openConnection()
    }

    /// Tells all who asked.
    func answerProbes(_ failure: HTTP2Failure?) {
        let waiting = probes
        probes = []
        for answer in waiting { answer(failure) }
    }
}
