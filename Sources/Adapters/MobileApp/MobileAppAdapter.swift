// SPDX-License-Identifier: Apache-2.0

public import Bus
import WebAPI

/// Registers devices for apps, which call it over HTTP with JSON.
public struct MobileAppAdapter: InboundAdapter {
    /// The name in pipeline files.
    public static let name = "mobile_app"
    /// One sentence for `busd modules`.
    public static let summary =
        "Apps register their devices here, keep their tokens up to date, and tell what became of notifications."
    /// Far above the largest registration: a token of 4 KiB and 100 tags.
    private static let largestBody = 64 << 10

    /// The apps it registers devices for.
    public let apps: [AppDeclaration]
    private let path: String
    private let calls: MobileCalls

    /// Asks for a bank where the bank is to be asked, and for text messages where codes are to be sent.
    public static func check(_ settings: MobileAppSettings, _ check: inout ModuleCheck) {
        check.declare(settings.declarations)
        check.expectSecrets(at: check.mark)
        switch settings.authorization {
        case .open: break
        case .bank: check.needBankLink(at: settings.authorizationMark)
        case .smsCode: check.needPhoneChannel(at: settings.authorizationMark)
        }
    }

    /// Makes the adapter.
    public init(settings: MobileAppSettings, context: ModuleContext) {
        apps = settings.declarations
        path = settings.path
        calls = MobileCalls(settings: settings, context: context)
    }

    /// Everything below its path.
    public var routes: [HTTPRoute] {
        let methods = ["GET", "POST", "PUT", "DELETE"]
        return [
            HTTPRoute(
                .below,
                path: path,
                methods: methods,
                maximumBody: Self.largestBody,
                admit: calls.refusal,
                refuse: { refusal, _ in ProblemDocument(refusal).response }
            ) { [calls] request in
                await calls.answer(request)
            }
        ]
    }
}
