// SPDX-License-Identifier: Apache-2.0

import APNs
import Bus
import Engine
import External
import FCM
import MapIDs
import MobileApp
import OverrideSubscriptions
import RESTBank
import SMSGateway
import SOAPBank
import Validate

/// Every module this build has: the one place that knows them all.
enum ModuleList {
    static let registry: Registry = {
        var registry = Registry()
        registry.register(SOAPBank.self)
        registry.register(RESTBank.self)
        registry.register(MobileAppAdapter.self)
        registry.register(Validate.self)
        registry.register(MapIDs.self)
        registry.register(OverrideSubscriptions.self)
        registry.register(ExternalStage.self)
        registry.register(APNsChannel.self)
        registry.register(FCMChannel.self)
        registry.register(ExternalChannel.self)
        registry.register(SOAPBankLink.self)
        registry.register(RESTBankLink.self)
        registry.register(SMSGateway.self)
        announceLater(&registry)
        return registry
    }()

    private static func announceLater(_ registry: inout Registry) {
        registry.announce(.inbound, "firebase_chat", "Chat messages over Firebase Realtime Database paths.")
        registry.announce(.stage, "segment", "Groups users, and words notifications for each group.")
        registry.announce(.stage, "expand_groups", "Turns groups of users into users.")
        registry.announce(.stage, "silence", "Leaves out recipients who silenced the sender or the group.")
    }
}
