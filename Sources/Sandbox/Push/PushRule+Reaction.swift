// SPDX-License-Identifier: Apache-2.0

extension PushRule {
    /// What a stand-in does where this rule meets a request; `answer` makes its provider's answer.
    func reaction(goodbye: [UInt8]? = nil, _ answer: () -> PushReaction.Act) -> PushReaction {
        var reaction = PushReaction(act: .silence, delay: delay, streamLimit: streamLimit)
        switch effect {
        case .silence: break
        case .refuse: reaction.act = .refuse
        case .reset: reaction.act = .reset
        case .drop: reaction.act = .drop
        case .goaway: reaction.act = .goaway(debug: goodbye ?? [])
        case .answer: reaction.act = answer()
        }
        return reaction
    }

    /// What such a rule cannot do at a service: the key at fault, and what is wrong.
    public func problem(for service: SandboxService) -> (key: String, message: String)? {
        if service == .sms, connections != nil || isPerConnection {
            let key = connections == nil ? "perConnection" : "connections"
            return (key, "is for the services that speak HTTP/2")
        }
        guard service == .sms else { return report == nil ? nil : ("report", "is for the service sms") }
        return [.answer, .silence].contains(effect) ? nil : ("effect", "must be answer or silence for the service sms")
    }

    /// What the record says of it.
    var label: (status: Int, reason: String) { effect == .answer ? (status, reason ?? "") : (0, effect.rawValue) }
}
