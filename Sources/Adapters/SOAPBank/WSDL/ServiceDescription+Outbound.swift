// SPDX-License-Identifier: Apache-2.0

extension ServiceDescription {
    private static let exception = "BankClientNotExistsException"

    /// The service that a bank implements and the bus calls.
    ///
    /// Field names, their order and the exception are those of the original documentation.
    static func outbound(namespace: String) -> Self {
        let calls = BankCall.Operation.allCases
        return ServiceDescription(
            name: "SBIOutboundWebService",
            namespace: namespace,
            hasAddressing: false,
            operations: calls.map { Operation(name: "\($0.name)", fault: $0.resultType == nil ? nil : exception) },
            types: calls.flatMap { call in
                [
                    .fields("\(call.name)", call.fields),
                    .fields("\(call.name)Response", call.resultType.map { [.one("return", "tns:\($0)")] } ?? []),
                ]
            } + results
        )
    }

    private static let results: [Definition] = [
        .fields("authorizedResult", [.one("authorized", "xs:boolean")]),
        .fields("authorizationResult", [.one("result", "tns:authorizationStatus")]),
        .fields("verificationResult", [.one("result", "tns:verificationStatus")]),
        .fields(exception, [.maybe("message")]),
        .words("authorizationStatus", ["OK", "ERROR"]),
        .words("verificationStatus", ["OK", "VERIFICATION_FAILED"]),
    ]
}

extension BankCall.Operation {
    /// The fields of a call, all of them strings.
    fileprivate var fields: [ServiceDescription.Field] {
        switch self {
        case .reportNotificationExpired, .reportNotificationFailed: [.some("userId"), .one("notificationId")]
        case .pushIsOpened, .pushIsDelivered: [.one("userId"), .one("notificationId")]
        case .checkSubscriptionAuthorized, .authorizeSubscription:
            [.one("bankClientId"), .one("userId"), .one("deviceId"), .one("platform")]
        case .verifySubscriptionAuthorization:
            [.one("bankClientId"), .one("userId"), .one("deviceId"), .one("verificationCode")]
        }
    }

    /// The type of `return`; `nil` for a call whose answer says only that it was taken.
    fileprivate var resultType: String? {
        switch self {
        case .checkSubscriptionAuthorized: "authorizedResult"
        case .authorizeSubscription: "authorizationResult"
        case .verifySubscriptionAuthorization: "verificationResult"
        default: nil
        }
    }
}
