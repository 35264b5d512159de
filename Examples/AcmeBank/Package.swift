// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A bank's own modules for busd, built apart from it: `swift build`, then `plugins: [….so]` in the node file.
let package = Package(
    name: "AcmeBank",
    products: [.library(name: "AcmeBank", type: .dynamic, targets: ["AcmeBank"])],
    dependencies: [.package(path: "../../Sources/Bus")],
    targets: [.target(name: "AcmeBank", dependencies: [.product(name: "Bus", package: "Bus")])],
    swiftLanguageModes: [.v6]
)
