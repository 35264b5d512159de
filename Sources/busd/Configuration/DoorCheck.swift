// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import HTTPServer

/// Looks at the node's listeners with the eyes of the adapters that are served there.
struct DoorCheck {
    private let node: NodeFile
    private let state: ConfigurationFiles.NodeState

    init(_ node: NodeFile, state: ConfigurationFiles.NodeState) {
        self.node = node
        self.state = state
    }

    /// What is wrong or doubtful for some pipelines, and of the listeners themselves where they are checked.
    func diagnostics(for plans: [PipelinePlan]) -> [Diagnostic] {
        if state == .unreadable { return [] }
        return unverifiable(plans) + (state == .assumed ? [] : clearText(plans)) + (state == .checked ? openAdmin : [])
    }

    /// Adapters that ask for certificates nobody can verify; a doubt only where the node file was not looked at.
    private func unverifiable(_ plans: [PipelinePlan]) -> [Diagnostic] {
        guard node.tls?.clientCA == nil else { return [] }
        let message = "'client_certificate' needs 'client_ca' under 'tls' in the node file: nobody could be verified"
        return plans.flatMap(\.clientCertificateMarks).map { mark in
            state == .assumed ? .warning(at: mark, message) : .error(at: mark, message)
        }
    }

    /// Adapters whose callers send a secret over a listener without TLS that a network reaches.
    private func clearText(_ plans: [PipelinePlan]) -> [Diagnostic] {
        guard node.tls == nil, let open = node.listen.first(where: { !$0.isLoopback }) else { return [] }
        let message =
            "callers' secrets would cross the network in clear text: 'listen' \(open) has no 'tls' in the node file;"
            + " set it, or listen on 127.0.0.1 behind a proxy that speaks TLS"
        return plans.flatMap(\.callerSecretMarks).map { .warning(at: $0, message) }
    }

    /// The admin listener speaks no TLS.
    private var openAdmin: [Diagnostic] {
        guard !node.admin.listen.isLoopback else { return [] }
        let message =
            "the admin token would cross the network in clear text, and everybody there could read metrics: use"
            + " 127.0.0.1, or a proxy that speaks TLS"
        return [.warning(at: node.admin.listenMark, message)]
    }
}
