// SPDX-License-Identifier: Apache-2.0

public import Bus
import Synchronization

/// A doorkeeper that remembers whom it was told of, and which keys were used.
public final class RecordingDoorkeeper: Doorkeeper {
    /// A refused call.
    public struct Refused: Sendable, Equatable {
        /// What was wrong.
        public let reason: CallRefusal
        /// The path as the module told it.
        public let place: String

        /// Describes a refused call.
        public init(_ reason: CallRefusal, _ place: String) {
            self.reason = reason
            self.place = place
        }
    }

    private let told = Mutex<[Refused]>([])
    private let used = Mutex<Set<[UInt8]>>([])
    private let keeps: Bool
    private let answer: OneUse?

    /// Creates one to whom every key is new once; `keeps` is whether it gets them to its disk, `answer` what it says
    /// to every key in place of that.
    public init(keeps: Bool = true, answering answer: OneUse? = nil) {
        self.keeps = keeps
        self.answer = answer
    }

    /// Whom it was told of.
    public var refused: [Refused] { told.withLock { $0 } }

    /// Remembers, and has every guess wait for a second.
    public func refused(_ request: HTTPRequest, at place: String, because reason: CallRefusal) -> Duration {
        told.withLock { $0.append(Refused(reason, place)) }
        return reason.isGuess ? .seconds(1) : .zero
    }

    /// Takes a key.
    public func once(_ key: [UInt8], until: WallTime) async -> OneUse {
        if let answer { return answer }
        let isNew = used.withLock { $0.insert(key).inserted }
        return isNew ? .first { [keeps] in keeps } : .again
    }
}

extension HTTPRoute {
    /// Asks the route as a server does: first whether the call may come in, by its head alone.
    public func serve(_ request: HTTPRequest) async -> HTTPResponse {
        var head = request
        head.body = []
        if let refusal = admit?(head) { return refusal }
        return await handler(request)
    }
}
