// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let bus: Target.Dependency = .product(name: "Bus", package: "Bus")

/// A C library from Debian, seen through a module map and `static inline` shims.
func system(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// A target in `Sources/<folder>`.
func target(_ name: String, in folder: String, _ dependencies: [Target.Dependency]) -> Target {
    let path = "Sources/\(folder)"
    let exclude = documented.contains(folder) ? ["README.md"] : []
    return .target(name: name, dependencies: dependencies, path: path, exclude: exclude)
}

/// The tests in `Tests/<name>`.
func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", resources: resources)
}

/// Folders with a README for their reader, which is not for the build.
let documented: Set<String> = []

let systemLibraries: [Target] = [
    system("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
    system("CXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
    system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    system("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
    system("CNGHTTP2", pkgConfig: "libnghttp2", apt: "libnghttp2-dev"),
    system("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
    system("CGnuTLS", pkgConfig: "gnutls", apt: "libgnutls28-dev"),
    system("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
    // Linked by its module map: its pkg-config file has a flag that SwiftPM warns of.
    .systemLibrary(name: "CUTF8Proc", path: "Sources/System/CUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),
    .systemLibrary(name: "CLinux", path: "Sources/System/CLinux"),
    system("CJansson", pkgConfig: "jansson", apt: "libjansson-dev"),
    system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    system("CJemalloc", pkgConfig: "jemalloc", apt: "libjemalloc-dev"),
]

let support: [Target] = [
    target("Threads", in: "Support/Threads", [bus, "CLinux"]),
    target("Collections", in: "Support/Collections", [bus]),
    target("Files", in: "Support/Files", []),
    target("CSV", in: "Support/CSV", []),
    target("YAML", in: "Support/YAML", [bus, "CYAML"]),
    target("XML", in: "Support/XML", ["CXML2"]),
    target("JSON", in: "Support/JSON", ["CJansson"]),
    target("Unicode", in: "Support/Unicode", ["CUTF8Proc"]),
    target("Compression", in: "Support/Compression", ["CZlib"]),
    target("Crypto", in: "Support/Crypto", ["COpenSSL"]),
    target("SQLite", in: "Support/SQLite", ["CSQLite"]),
    target("HTTPServer", in: "Support/HTTPServer", [bus, "CMicroHTTPD", "CGnuTLS", "CLinux", "CReadTap", "Threads"]),
    target("HTTPClient", in: "Support/HTTPClient", [bus, "CCurl", "Threads"]),
    target("CertificateFiles", in: "Support/CertificateFiles", [bus, "Crypto", "Threads"]),
    target("BankService", in: "Shared/BankService", [bus, "CertificateFiles", "HTTPClient", "Threads"]),
    target("WebAPI", in: "Shared/WebAPI", [bus, "Compression", "JSON", "Crypto"]),
    target("NotificationJSON", in: "Shared/NotificationJSON", [bus, "JSON", "Unicode"]),
    target("HTTP2", in: "Support/HTTP2", [bus, "Collections", "CNGHTTP2", "COpenSSL", "CLinux", "Threads"]),
    target("PushService", in: "Shared/PushService", [bus, "CertificateFiles", "HTTP2", "JSON", "Unicode"]),
]

/// For tests only: SQLite files that fail when told to.
let faults: [Target] = [
    .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Sources/System/CFaultVFS")
]

/// For tests only: what the tests of channels share.
let testing: [Target] = [
    .target(name: "PushTesting", dependencies: [bus, "HTTP2", "Crypto", "Threads"], path: "Tests/PushTesting"),
    .target(name: "TestSupport", dependencies: [bus, "JSON"], path: "Tests/TestSupport"),
    .target(name: "ClockTesting", dependencies: [bus, "Engine"], path: "Tests/ClockTesting"),
    .target(
        name: "LedgerTesting",
        dependencies: [bus, "ClockTesting", "Engine", "SQLiteStore", "TestSupport", "Threads"],
        path: "Tests/LedgerTesting"
    ),
    .target(name: "RuleTesting", dependencies: [bus, "ClockTesting", "Engine"], path: "Tests/RuleTesting"),
]

/// The modules that pipelines are made of; busd has all of them, and `ModuleList.swift` registers them.
let modules: [Target] = [
    target("Validate", in: "Stages/Validate", [bus]),
    target("MapIDs", in: "Stages/MapIDs", [bus, "CSV", "Unicode"]),
    target("OverrideSubscriptions", in: "Stages/OverrideSubscriptions", [bus]),
    target("External", in: "Stages/External", [bus, "CLinux", "HTTPClient", "JSON", "NotificationJSON", "Threads"]),
    target(
        "SOAPBank",
        in: "Adapters/SOAPBank",
        [bus, "XML", "BankService", "CertificateFiles", "Compression", "Crypto", "HTTPClient", "Threads", "Unicode"]
    ),
    target(
        "RESTBank",
        in: "Adapters/RESTBank",
        [
            bus, "BankService", "JSON", "NotificationJSON", "Crypto", "HTTPClient", "Threads", "Unicode", "WebAPI",
        ]
    ),
    target("SMSGateway", in: "Adapters/SMSGateway", [bus, "HTTPClient", "PushService", "Threads"]),
    target("MobileApp", in: "Adapters/MobileApp", [bus, "JSON", "Crypto", "Unicode", "WebAPI"]),
    target("APNs", in: "Channels/APNs", [bus, "HTTP2", "PushService", "Crypto", "JSON", "Threads"]),
    target(
        "FCM",
        in: "Channels/FCM",
        [bus, "HTTP2", "HTTPClient", "PushService", "Crypto", "JSON", "Threads"]
    ),
]

let product: [Target] = [
    target("Engine", in: "Engine", [bus, "Collections", "Threads", "Crypto"]),
    target("SQLiteStore", in: "Stores/SQLite", [bus, "Engine", "SQLite", "Threads", "CLinux"]),
    target(
        "Sandbox",
        in: "Sandbox",
        ["HTTP2", "Crypto", "Files", "JSON", "HTTPClient", "HTTPServer", "Threads", "XML", bus]
    ),
    .executableTarget(
        name: "busd",
        dependencies: [
            bus, "Engine", "SQLiteStore", "Sandbox", "CertificateFiles", "Files", "YAML", "HTTPServer", "HTTPClient",
            "JSON", "Threads", "CSV", "Crypto", "WebAPI", "XML", "CJemalloc", "CAllocator",
        ] + modules.map { .target(name: $0.name) },
        path: "Sources/busd"
    ),
]

/// C of our own: how the program's allocator is set, and what looks at libmicrohttpd's reads.
let ownC: [Target] = [
    .target(name: "CAllocator", path: "Sources/System/CAllocator"),
    .target(name: "CReadTap", path: "Sources/System/CReadTap"),
]

let benchmarks: [Target] = [
    .target(name: "LoadClient", dependencies: [bus, "CLinux"], path: "Benchmarks/LoadClient"),
    .executableTarget(
        name: "Bench",
        dependencies: [bus, "LoadClient", "HTTP2", "Crypto", "Files", "Threads", "CLinux"],
        path: "Benchmarks/Bench"
    ),
]

var testTargets: [Target] = [
    tests("BusTests", [bus, "YAML"]),
    tests("EngineTests", [bus, "ClockTesting", "Collections", "Engine", "RuleTesting"]),
    tests("StagesTests", [bus, "MapIDs", "Validate", "YAML"]),
    tests("ExternalTests", [bus, "External", "HTTPServer", "JSON", "TestSupport", "YAML"]),
    tests("CSVTests", ["CSV"]),
    tests(
        "EndToEndTests",
        [
            bus, "busd", "Sandbox", "Crypto", "HTTPClient", "HTTPServer", "JSON", "LoadClient", "TestSupport",
            "Threads",
        ]
    ),
    tests("YAMLTests", [bus, "YAML"]),
    tests(
        "NodeFileTests",
        [bus, "busd", "CertificateFiles", "Sandbox", "Crypto", "Engine", "HTTPServer", "XML", "YAML"]
    ),
    tests("PipelineFileTests", [bus, "Engine", "YAML"]),
    tests("CryptoTests", ["Crypto"]),
    tests("UnicodeTests", ["Unicode"]),
    tests("CompressionTests", ["Compression", "CZlib"]),
    tests("JSONTests", ["JSON"]),
    tests("SandboxTests", [bus, "Sandbox", "Crypto", "JSON", "HTTP2"]),
    tests("HTTPServerTests", [bus, "HTTPServer", "HTTPClient", "Crypto", "TestSupport", "Threads"]),
    tests("XMLTests", ["XML"]),
    tests("SQLiteTests", ["SQLite"]),
    tests(
        "LedgerTests",
        [
            bus, "ClockTesting", "Engine", "LedgerTesting", "RuleTesting", "SQLite", "SQLiteStore", "CFaultVFS",
            "TestSupport",
        ]
    ),
    tests("SOAPBankTests", [bus, "Crypto", "SOAPBank", "HTTPServer", "TestSupport", "Threads", "XML", "YAML"]),
    tests(
        "RESTBankTests",
        [bus, "RESTBank", "JSON", "YAML", "HTTPServer", "Crypto", "TestSupport"]
    ),
    tests("HTTP2Tests", [bus, "HTTP2", "PushTesting", "Threads", "Crypto"]),
    tests(
        "APNsTests",
        [bus, "APNs", "PushService", "PushTesting", "Sandbox", "HTTP2", "Crypto", "JSON", "YAML"]
    ),
    tests(
        "FCMTests",
        [
            bus, "FCM", "PushService", "PushTesting", "HTTPClient", "Sandbox", "HTTP2", "Crypto", "JSON", "YAML",
        ]
    ),
    tests("HTTPClientTests", [bus, "HTTPClient", "HTTPServer", "HTTP2", "Crypto", "TestSupport", "Threads"]),
    tests("MobileAppTests", [bus, "MobileApp", "TestSupport", "JSON", "YAML"]),
    tests(
        "SMSGatewayTests",
        [bus, "SMSGateway", "Sandbox", "Crypto", "HTTPClient", "HTTPServer", "JSON", "Threads", "YAML"]
    ),
    tests("RegistrationTests", [bus, "Engine", "LedgerTesting", "MapIDs", "TestSupport", "YAML"]),
    tests(
        "FallbackTests",
        [bus, "ClockTesting", "Engine", "LedgerTesting", "SQLite", "SQLiteStore", "Threads", "YAML"]
    ),
    tests(
        "PipelineTests",
        [
            bus, "busd", "Engine", "HTTPClient", "HTTPServer", "LedgerTesting", "MapIDs", "OverrideSubscriptions",
            "SQLite", "TestSupport", "Threads", "Validate", "YAML",
        ]
    ),
    tests("PipelineRateTests", [bus, "Engine", "SQLiteStore", "Threads", "YAML"]),
]

// `BUSD_TESTS=HTTP2Tests,XMLTests swift test` builds only those suites: one change then rebuilds little.
if let only = Context.environment["BUSD_TESTS"] {
    let names = only.split(separator: ",").map(String.init)
    testTargets = testTargets.filter { names.contains($0.name) }
}

let package = Package(
    name: "busd",
    products: [.executable(name: "busd", targets: ["busd"])],
    dependencies: [.package(path: "Sources/Bus")],
    targets: systemLibraries + support + ownC + modules + product + benchmarks + faults + testing + testTargets,
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
        // Debug builds, and so all tests, check it; a release spends three parts in a hundred of its time on it
        // (docs/decisions/0017).
        .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
    ]
}
