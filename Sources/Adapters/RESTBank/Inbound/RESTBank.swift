// SPDX-License-Identifier: Apache-2.0

import BankService
public import Bus
import WebAPI

/// Banks call it over HTTP with JSON.
public struct RESTBank: InboundAdapter {
    /// Its name in pipeline files.
    public static let name = "rest_bank"
    /// What `busd modules` says.
    public static let summary = "Banks send notifications and ask about them with JSON over HTTP."

    private let settings: RESTBankSettings
    private let calls: BankCalls

    /// Makes the adapter; the bus's listeners serve it.
    public init(settings: RESTBankSettings, context: ModuleContext) {
        self.settings = settings
        calls = BankCalls(settings: settings, context: context)
    }

    /// Warns of an open door.
    public static func check(_ settings: RESTBankSettings, _ check: inout ModuleCheck) {
        check.declare([])
        switch settings.auth {
        case nil: if !settings.isAuthGiven { BankDoor.warnOfNoAuth(name, &check) }
        case .clientCertificate: check.needClientCertificates(at: settings.authMark)
        case .bearer: check.expectSecrets(at: settings.authMark)
        }
    }

    /// Everything below its path.
    public static func paths(_ settings: RESTBankSettings) -> [String] { [settings.path] }

    /// Everything below its path, whatever the method: which ones a path takes is known here.
    public var routes: [HTTPRoute] {
        [
            HTTPRoute(
                .below,
                path: settings.path,
                methods: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"],
                maximumBody: settings.maximumBody.bytes,
                admit: calls.refusal,
                refuse: { refusal, _ in ProblemDocument(refusal).response }
            ) { [calls] request in
                await calls.answer(request)
            }
        ]
    }
}
