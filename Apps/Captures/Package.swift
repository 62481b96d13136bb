// swift-tools-version: 6.2
import PackageDescription

/// Every target: Swift 6 language mode, explicit existentials, and an import list that says what a file really uses.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Products of each package; the lists of dependencies below name them like targets.
let products: [String: String] = [
    "SpineBench": "BookCatalogue OpenVINOReading ProgramSupport SpineReading SpineScanning TestSupport VisualSearch",
    "swift-argument-parser": "ArgumentParser",
    "GRDB.swift": "GRDB",
    "swift-http-types": "HTTPTypes",
]

func uses(_ names: String) -> [Target.Dependency] {
    names.split(separator: " ").map { name in
        let package = products.first { $0.value.split(separator: " ").contains(name) }?.key
        return package.map { .product(name: String(name), package: $0) } ?? .target(name: String(name))
    }
}

func room(_ name: String, _ dependencies: String, exclude: [String] = [], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: uses(dependencies), exclude: exclude, resources: resources, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: String, fixtures: Bool = false) -> Target {
    .testTarget(
        name: name,
        dependencies: uses(dependencies + " TestSupport"),
        resources: fixtures ? [.copy("Fixtures")] : nil,
        swiftSettings: strict
    )
}

let core = "BookCatalogue OpenVINOReading ProgramSupport SpineReading SpineScanning VisualSearch"

let package = Package(
    name: "Captures",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "captures", targets: ["CapturesProgram"])],
    dependencies: [
        .package(name: "SpineBench", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CZBar",
            path: "Sources/C/CZBar",
            pkgConfig: "zbar",
            providers: [.apt(["libzbar-dev"]), .brew(["zbar"])]
        ),
        .systemLibrary(
            name: "CLibXML",
            path: "Sources/C/CLibXML",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]
        ),
        // The sentence embedding.
        .target(name: "CMiniLM", path: "Sources/C/CMiniLM", cSettings: [.unsafeFlags(["-O3"])]),

        // What a picture and a page say.
        room(
            "CaptureReading",
            "CLibXML CZBar ProgramSupport SpineReading",
            exclude: ["Resources/CARD.md"],
            resources: ["boilerplate.txt", "encodings.txt", "interstitials.txt", "things.tsv"].map {
                .embedInCode("Resources/\($0)")
            }
        ),
        // Meaning: embeddings, concepts, intents.
        room("CaptureSpace", "CMiniLM OpenVINOReading ProgramSupport", resources: [.embedInCode("Resources")]),
        // The store, the pipeline, sources and narratives.
        room("Captures", "CaptureReading CaptureSpace GRDB \(core)"),
        .executableTarget(
            name: "CapturesProgram",
            dependencies: uses("CaptureReading Captures CaptureSpace ArgumentParser HTTPTypes \(core)"),
            resources: [.embedInCode("Resources")],
            swiftSettings: strict
        ),
        tests("CaptureReadingTests", "CaptureReading ProgramSupport SpineReading", fixtures: true),
        tests("CapturesTests", "CaptureReading Captures CaptureSpace GRDB HTTPTypes \(core)", fixtures: true),
        tests("CapturesProgramTests", "CaptureReading Captures CaptureSpace CapturesProgram HTTPTypes \(core)"),
    ],
    swiftLanguageModes: [.v6]
)
