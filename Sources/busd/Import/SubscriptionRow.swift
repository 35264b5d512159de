// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import JSON
import MobileApp
import Threads
import WebAPI

/// The columns of a file of subscriptions, and how a row becomes a registration.
struct SubscriptionColumns {
    /// What is wrong with a row: the column's place in it, and words.
    struct Fault: Error, Equatable {
        let place: Int
        let message: String
    }

    private static let required = ["user", "device", "platform", "token"]
    private static let names: [String: String] = [
        "user": "userId", "device": "deviceId", "platform": "platform", "token": "token", "app": "appId",
        "phone": "phone", "language": "language", "tags": "tags", "app_version": "appVersion",
        "os_version": "osVersion", "bank_client": "bankClientId", "registered": "registered",
    ]

    private let columns: [String]
    private let onlyApp: String?

    /// Reads the header line.
    ///
    /// - Throws: the first column at fault.
    init(_ header: [String], onlyApp: String?) throws(Fault) {
        columns = header.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        self.onlyApp = onlyApp
        for (place, name) in columns.enumerated() {
            guard Self.names[name] != nil else {
                let advice = Suggestion.clause(for: name, in: Self.names.keys.sorted())
                throw Fault(place: place, message: "there is no column '\(name)'\(advice)")
            }
            if columns.firstIndex(of: name) != place {
                throw Fault(place: place, message: "the column '\(name)' is there twice")
            }
        }
        for name in Self.required where !columns.contains(name) {
            throw Fault(place: 0, message: "the column '\(name)' is missing; the first line names the columns")
        }
        if onlyApp == nil, !columns.contains("app") {
            throw Fault(place: 0, message: "the column 'app' is missing, and the pipeline has not exactly one app")
        }
    }

    /// Reads a row.
    ///
    /// - Throws: the first field at fault.
    func registration(_ fields: [String]) throws(Fault) -> (Registration, registeredAt: WallTime?) {
        guard fields.count == columns.count else {
            throw Fault(place: 0, message: "has \(fields.count) fields, and the first line \(columns.count)")
        }
        var members: [JSONObject.Member] = []
        var registeredAt: WallTime?
        var hasApp = false
        for (place, name) in columns.enumerated() where !fields[place].isEmpty {
            switch name {
            case "registered": registeredAt = try Self.time(fields[place], place)
            case "tags":
                let tags = fields[place].split(separator: " ").map { JSONValue.string(String($0)) }
                members.append(JSONObject.Member("tags", .array(tags)))
            default:
                hasApp = hasApp || name == "app"
                let text = name == "platform" ? fields[place].uppercased() : fields[place]
                members.append(JSONObject.Member(Self.names[name] ?? name, .string(text)))
            }
        }
        if !hasApp, let onlyApp { members.append(JSONObject.Member("appId", .string(onlyApp))) }
        switch Registration.read(.object(JSONObject(members)), credential: .none) {
        case .success(let registration): return (registration, registeredAt)
        case .failure(let failure):
            let fault = failure.problem.fields.first
            let column = Self.names.first { fault?.path.hasPrefix($0.value) == true }?.key ?? "user"
            let message = "\(column) \(fault?.message ?? "is wrong")"
            throw Fault(place: columns.firstIndex(of: column) ?? 0, message: message)
        }
    }

    private static func time(_ text: String, _ place: Int) throws(Fault) -> WallTime {
        if let milliseconds = Int64(text), milliseconds >= 0 { return WallTime(milliseconds: milliseconds) }
        if let seconds = Timestamp.seconds(text), seconds >= 0 { return WallTime(seconds: Int64(seconds)) }
        throw Fault(place: place, message: "registered must be like 2026-11-30T07:05:09Z, or milliseconds since 1970")
    }
}
