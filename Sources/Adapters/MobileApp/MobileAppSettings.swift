// SPDX-License-Identifier: Apache-2.0

public import Bus
import WebAPI

/// The options of `mobile_app`.
public struct MobileAppSettings: ModuleSettings {
    private static let longestCodeText = 300

    let path: String
    let apps: [AppSettings]
    let authorization: Authorization
    /// Where it stands, for what `check` says about it.
    let authorizationMark: SourceMark
    /// What a text message with a code says.
    let codeText: String
    let trusted: TrustedSettings?

    /// Reads the options.
    public init(from reader: inout SettingsReader) {
        path = reader.required("path", "Where apps call.", example: "/mobile/v1", validate: HTTPRoute.problem(path:))
        apps = reader.requiredGroups("apps", "The apps that devices register for.", example: "[{ id: retail }]")
        authorization = reader.required(
            "authorization",
            "Who agrees to a new registration; none = anybody who knows a user's name gets that user's notifications.",
            example: "bank"
        )
        authorizationMark = reader.mark(of: "authorization")
        codeText = reader.optional(
            "code_text",
            "With sms_code: what the text message says; {code} stands for the code.",
            default: "{code} is your confirmation code.",
            example: "MegaBank: код {code}. Никому его не говорите.",
            validate: Self.problem(codeText:)
        )
        trusted = reader.optionalGroup("trusted", "Front servers of the bank, which may call for any device.")
        var seen: Set<String> = []
        for app in apps where !app.id.isEmpty && !seen.insert(app.id).inserted {
            reader.report(.error(at: app.mark, "the app '\(app.id)' is declared twice"))
        }
    }

    /// The apps as the bus knows them.
    var declarations: [AppDeclaration] {
        apps.filter { !$0.id.isEmpty }
            .map { AppDeclaration(id: $0.id, platform: $0.platform?.platform, bundle: $0.bundle) }
    }

    private static func problem(codeText: String) -> String? {
        guard codeText.contains(Registration.codePlaceholder) else {
            return "must hold \(Registration.codePlaceholder), which stands for the code"
        }
        return codeText.utf8.count <= longestCodeText ? nil : "must have at most \(longestCodeText) bytes"
    }
}

/// One app.
struct AppSettings: ModuleSettings {
    let id: String
    let platform: AppPlatform?
    let bundle: String?
    let settings: [NamedSetting<String>]
    let mark: SourceMark

    init(from reader: inout SettingsReader) {
        id = reader.required("id", "The id the app calls itself by.", example: "retail", validate: Self.problem(id:))
        platform = reader.optional("platform", "The system it runs on, where it is one only.", example: "IOS")
        bundle = reader.optional("bundle", "Its topic at APNs, in place of the channel's.", example: "com.bank.retail")
        settings = reader.optionalMap("settings", "What the client library starts from, as it is.")
        mark = reader.mark(of: "id")
    }

    private static func problem(id: String) -> String? {
        let isFit = !id.isEmpty && id.utf8.count <= Field.longestID && id == Field.trim(id)
        return isFit ? nil : "must be 1 to \(Field.longestID) bytes without blanks at its ends"
    }
}

/// The systems as they are written in a pipeline file.
enum AppPlatform: String, CaseIterable, SettingsValue {
    case android = "ANDROID"
    case ios = "IOS"

    var platform: Platform {
        switch self {
        case .android: .android
        case .ios: .ios
        }
    }
}

/// How front servers prove who they are.
struct TrustedSettings: ModuleSettings {
    let bearer: [Secret]

    init(from reader: inout SettingsReader) {
        bearer = reader.requiredList(
            "bearer",
            "The tokens that are accepted.",
            acceptsOne: true,
            example: "[\"${FRONT_TOKEN}\"]",
            validate: BearerTokens.problem
        )
    }
}
