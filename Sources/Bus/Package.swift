// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

// A package of its own, so that busd and every plugin link one and the same libBus.so: inside the root package
// busd would get a private copy, and the host's conformance checks on a plugin's types would fail silently.
let package = Package(
    name: "Bus",
    products: [.library(name: "Bus", type: .dynamic, targets: ["Bus", "BusStamp"])],
    targets: [
        // What a plugin and its host compare. The hash of Bus's sources in it is made by the build, never by hand.
        .plugin(name: "MakeStamp", capability: .buildTool(), path: "Stamp/Plugin"),
        .target(name: "BusCompiler", path: "Stamp/Compiler"),
        .target(
            name: "BusStamp",
            dependencies: ["BusCompiler"],
            path: "Stamp/Library",
            swiftSettings: settings,
            plugins: ["MakeStamp"]
        ),
        .target(
            name: "Bus",
            path: ".",
            exclude: ["Package.swift", "Stamp"],
            sources: ["Message", "Module", "Configuration"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
