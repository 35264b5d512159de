// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements that find subscriptions which may be in one another's way, among those that live or those
/// that are kept aside: the indexes bring what may be, the rules decide.
struct SubscriptionPlaces {
    enum Table: String {
        case living = "subscription"
        case removed = "removed_subscription"
    }

    struct Found {
        let sequence: Int64
        let place: SubscriptionPlace
    }

    private let ofDevice: Statement
    private let ofToken: Statement
    private let ofUser: Statement
    private let ofNumber: Statement
    private let end: Statement

    init(_ connection: Connection, in table: Table) throws(SQLiteError) {
        func query(_ condition: String) throws(SQLiteError) -> Statement {
            try Statement(
                "SELECT seq, user, app, device, platform, token FROM \(table.rawValue) WHERE \(condition)",
                on: connection
            )
        }
        ofDevice = try query("pipeline = ?1 AND device = ?2 AND app = ?3")
        ofToken = try query("pipeline = ?1 AND token = ?2")
        ofUser = try query("pipeline = ?1 AND user = ?2")
        ofNumber = try query("seq = ?1")
        end = try Statement("DELETE FROM \(table.rawValue) WHERE seq = ?1", on: connection)
    }

    func find(_ subscription: Int64) throws(SQLiteError) -> SubscriptionPlace? {
        ofNumber.bind(subscription, at: 1)
        return try rows(of: ofNumber).first?.place
    }

    /// Those on the same device or with the same token; some may be named twice.
    func beside(_ place: SubscriptionPlace, in pipeline: Int64) throws(SQLiteError) -> [Found] {
        ofDevice.bind(pipeline, at: 1)
        ofDevice.bind(place.deviceID, at: 2)
        ofDevice.bind(place.app, at: 3)
        ofToken.bind(pipeline, at: 1)
        ofToken.bind(place.token, at: 2)
        return try rows(of: ofDevice) + rows(of: ofToken)
    }

    func all(of user: RecipientID, in pipeline: Int64) throws(SQLiteError) -> [Found] {
        ofUser.bind(pipeline, at: 1)
        ofUser.bind(user.text, at: 2)
        return try rows(of: ofUser)
    }

    /// Ends those that a new registration replaces; returns how many.
    func end(replacedBy registration: Registration, in pipeline: Int64) throws(SQLiteError) -> Int {
        var found = try beside(SubscriptionPlace(registration), in: pipeline)
        if registration.endsOtherDevices { found += try all(of: registration.user.id, in: pipeline) }
        return try end(found.filter { SubscriptionRule.replaces(registration, $0.place) })
    }

    /// Ends all that have the address of a place, but for the subscription that is there; returns how many.
    func end(addressOf place: SubscriptionPlace, in pipeline: Int64, except: Int64) throws(SQLiteError) -> Int {
        let found = try beside(place, in: pipeline)
        return try end(found.filter { $0.sequence != except && $0.place.isAddress(of: place) })
    }

    func end(_ subscription: Int64) throws(SQLiteError) {
        end.bind(subscription, at: 1)
        try end.run()
    }

    private func end(_ found: [Found]) throws(SQLiteError) -> Int {
        let numbers = Set(found.map(\.sequence))
        for number in numbers { try end(number) }
        return numbers.count
    }

    private func rows(of statement: Statement) throws(SQLiteError) -> [Found] {
        defer { statement.reset() }
        var found: [Found] = []
        while try statement.step() {
            let place = SubscriptionPlace(
                user: RecipientID(statement.text(1)),
                app: statement.text(2),
                deviceID: statement.text(3),
                platform: PlatformCode.platform(statement.integer(4)),
                token: statement.text(5)
            )
            found.append(Found(sequence: statement.integer(0), place: place))
        }
        return found
    }
}
