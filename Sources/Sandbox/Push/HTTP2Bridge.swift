// SPDX-License-Identifier: Apache-2.0

import HTTP2

extension PushRequest {
    init(_ request: HTTP2ServerRequest) {
        let fields = request.headers.filter { !$0.name.hasPrefix(":") }
        self.init(
            method: request.method,
            path: request.path,
            headers: fields.map { ($0.name, $0.value) },
            body: request.body
        )
    }
}

extension HTTP2ServerAction {
    /// REFUSED_STREAM and INTERNAL_ERROR of RFC 9113, 7.
    private static let refused: UInt32 = 7
    private static let internalError: UInt32 = 2

    init(_ reaction: PushReaction) {
        let act = Self.act(reaction.act)
        let timed = reaction.delay > 0 ? .after(UInt64(reaction.delay) * 1_000_000, act) : act
        guard let limit = reaction.streamLimit else {
            self = timed
            return
        }
        self = .all([.maxConcurrentStreams(UInt32(limit)), timed])
    }

    private static func act(_ act: PushReaction.Act) -> HTTP2ServerAction {
        switch act {
        case .silence: .silent
        case .refuse: .reset(refused)
        case .reset: .reset(internalError)
        case .drop: .drop
        case .goaway(let debug): .goAway(.beforeCurrent, debugData: debug)
        case .answer(let status, let fields, let body):
            .respond(
                HTTP2ServerResponse(
                    status,
                    ownHeaders: fields.map { HTTP2Header($0.key, $0.value, isIndexed: false) },
                    body: body
                )
            )
        }
    }
}
