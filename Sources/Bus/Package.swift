// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that busd and every plugin link one and the same libBus.so: inside the root package
// busd would get a private copy, and the host's conformance checks on a plugin's types would fail silently.
let package = Package(
    name: "Bus",
    products: [.library(name: "Bus", type: .dynamic, targets: ["Bus", "BusStamp"])],
    targets: [
        .target(name: "BusStamp", path: "Stamp"),
        .target(
            name: "Bus",
            path: ".",
            exclude: ["Package.swift", "Stamp"],
            sources: ["Message", "Module", "Configuration"],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .treatAllWarnings(as: .error),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
