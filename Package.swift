// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Every target: Swift 6 language mode, explicit existentials, and an import list that says what a file really uses.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Where `make setup` puts OpenVINO's headers and libraries.
let openVINO = Context.packageDirectory + "/.deps/openvino"

#if os(Linux)
if !FileManager.default.fileExists(atPath: openVINO + "/include/openvino/c/openvino.h") {
    FileHandle.standardError.write(Data("SpineBench is not set up yet: run 'make setup' first.\n".utf8))
    exit(1)
}
#endif

/// The folders of `Sources`, from the ground up: a target uses targets of its own floor and of those below, never of one above.
enum Floor: String {
    case c = "C"
    case base = "Base"
    case reading = "Reading"
    case scanning = "Scanning"
    case context = "Context"
    case backEnd = "BackEnd"
    case measuring = "Measuring"
    case drawing = "Drawing"
    case command = "Command"
    case checks = "Checks"

    func path(_ target: String) -> String { "Sources/\(rawValue)/\(target)" }
}

func library(_ name: String, _ pkgConfig: String, apt: String, brew: String) -> Target {
    .systemLibrary(
        name: name,
        path: Floor.c.path(name),
        pkgConfig: pkgConfig,
        providers: [.apt([apt]), .brew([brew])]
    )
}

func room(
    _ floor: Floor,
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    exclude: [String] = [],
    resources: [Resource]? = nil
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: floor.path(name),
        exclude: exclude,
        resources: resources,
        swiftSettings: strict
    )
}

func program(
    _ floor: Floor,
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    exclude: [String] = [],
    resources: [Resource]? = nil
) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies,
        path: floor.path(name),
        exclude: exclude,
        resources: resources,
        swiftSettings: strict
    )
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = [], fixtures: Bool = false) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies,
        resources: fixtures ? [.copy("Fixtures")] : nil,
        swiftSettings: strict
    )
}

let package = Package(
    name: "SpineBench",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "spinebench", targets: ["spinebench"]),
        .executable(name: "talaria", targets: ["TalariaCommand"]),
        .library(name: "TextRecognition", targets: ["TextRecognition"]),
        .library(name: "ScanningPolicies", targets: ["ScanningPolicies"]),
        .library(name: "ScanningPipeline", targets: ["ScanningPipeline"]),
        .library(name: "VisualSearch", targets: ["VisualSearch"]),
        .library(name: "AppleVisualSearch", targets: ["AppleVisualSearch"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.90.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.34.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ],
    targets: [
        // C libraries: a module map and a shim each, imported by one Swift target.
        library("CPNG", "libpng", apt: "libpng-dev", brew: "libpng"),
        library("CTurboJPEG", "libturbojpeg", apt: "libturbojpeg0-dev", brew: "jpeg-turbo"),
        library("CHEIF", "libheif", apt: "libheif-dev", brew: "libheif"),
        library("CTesseract", "tesseract", apt: "libtesseract-dev", brew: "tesseract"),
        library("CZBar", "zbar", apt: "libzbar-dev", brew: "zbar"),
        library("COpenSSL", "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
        library("CLibXML", "libxml-2.0", apt: "libxml2-dev", brew: "libxml2"),
        library("CPangoCairo", "pangocairo", apt: "libpango1.0-dev", brew: "pango"),
        .target(
            name: "COpenVINO",
            path: Floor.c.path("COpenVINO"),
            linkerSettings: [
                .unsafeFlags(["-L\(openVINO)/libs", "-Xlinker", "-rpath", "-Xlinker", "\(openVINO)/libs"]),
                .linkedLibrary("openvino_c"),
            ]
        ),
        // The kernel's filter for processes that are to stay off the network.
        .target(name: "CNetworkGuard", path: Floor.c.path("CNetworkGuard")),

        // Production.
        room(.base, "Basics", [.target(name: "COpenSSL", condition: .when(platforms: [.linux]))]),
        room(.base, "Statistics", ["Basics"]),
        room(.base, "Storage", ["Basics", .product(name: "GRDB", package: "GRDB.swift")]),
        // Documents: what a report says, and how it is set.
        room(.base, "Documents", ["Basics", "Statistics"]),
        room(.reading, "Raster"),
        room(.reading, "ImageCodec", ["Raster", "CPNG", "CTurboJPEG", "CHEIF"]),
        room(.reading, "TextRecognition", ["Basics", "Raster", "ImageCodec"]),
        room(.reading, "OpenVINOEngine", ["TextRecognition", "Raster", "Basics", "COpenVINO"]),
        room(.reading, "TesseractEngine", ["TextRecognition", "Raster", "CTesseract"]),
        room(.reading, "VisionEngine", ["TextRecognition", "Raster"]),
        room(
            .reading,
            "SpineReaders",
            [
                "TextRecognition", "OpenVINOEngine", "TesseractEngine", "VisionEngine", "Raster",
            ]
        ),
        room(
            .scanning,
            "BookCatalogue",
            ["Basics", .product(name: "GRDB", package: "GRDB.swift")],
            exclude: ["Resources/CARD.md"],
            // Files beside the program: as code, a megabyte takes the compiler minutes.
            resources: [.copy("Resources/books.csv"), .copy("Resources/labelled.csv")]
        ),
        room(
            .scanning,
            "Talaria",
            [
                "Basics",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        room(
            .scanning,
            "LibraryStore",
            ["BookCatalogue", "Basics", "Storage", .product(name: "GRDB", package: "GRDB.swift")]
        ),
        room(.scanning, "ScanningPolicies", ["Statistics"]),
        room(
            .scanning,
            "ScanningPipeline",
            [
                "Basics", "ScanningPolicies", "TextRecognition", "BookCatalogue", "LibraryStore", "Talaria",
                "ImageCodec", "Raster",
            ]
        ),

        room(
            .scanning,
            "VisualSearch",
            [
                "Basics", "TextRecognition", "BookCatalogue", "LibraryStore", "ScanningPipeline", "ImageCodec",
                "Raster",
            ]
        ),

        room(.scanning, "AppleVisualSearch", ["VisualSearch", "ScanningPipeline", "Raster"]),

        // Captures of any kind, in sessions.
        room(.context, "ContextModel"),
        room(.context, "WebReading", ["Basics", "CLibXML"]),
        room(.context, "Sifting", ["Basics", "Raster", "ImageCodec", "CZBar"]),
        room(.context, "Narrative", ["Basics"]),
        room(.context, "ContextSpace", ["Basics", "ContextModel", "OpenVINOEngine"]),
        room(
            .context,
            "Enrichment",
            ["Basics", "ContextModel", "Narrative", "WebReading", "BookCatalogue", "Talaria"]
        ),
        room(
            .context,
            "ContextStore",
            ["Basics", "ContextModel", "Storage", .product(name: "GRDB", package: "GRDB.swift")]
        ),
        room(
            .context,
            "ContextPipeline",
            [
                "Basics", "ContextModel", "ContextSpace", "ContextStore", "Enrichment", "Narrative", "Sifting",
                "TextRecognition", "ScanningPipeline", "VisualSearch", "ImageCodec", "Raster",
            ]
        ),

        // Back end.
        room(
            .backEnd,
            "TalariaServer",
            [
                "Basics", "Talaria", "BookCatalogue", "ImageCodec",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.embedInCode("openapi.json")]
        ),

        // Pictures of doubtful origin, decoded in a process of their own.
        room(
            .reading,
            "PictureProcess",
            ["ImageCodec", "Raster", .product(name: "ArgumentParser", package: "swift-argument-parser")]
        ),

        // Harness.
        room(.measuring, "Evaluation", ["Basics", "Statistics", "Raster"]),
        room(
            .measuring,
            "DeviceSimulation",
            ["Statistics", "ScanningPolicies", "Evaluation", "Documents", "Basics"],
            resources: [.embedInCode("Resources/gate.json")]
        ),
        // Objects of a store that speaks S3.
        room(
            .measuring,
            "ObjectStorage",
            [
                "Basics",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        room(
            .measuring,
            "SpineDatasets",
            [
                "Statistics", "Raster", "ImageCodec", "Basics", "ObjectStorage",
            ],
            resources: [.embedInCode("Resources")]
        ),
        room(.measuring, "DatasetExchange", ["SpineDatasets", "ImageCodec", "Raster", "Basics"]),
        room(
            .measuring,
            "Harness",
            [
                "ScanningPolicies",
                "Basics", "Statistics", "Documents", "Evaluation", "SpineDatasets", "DeviceSimulation", "Raster",
                "CNetworkGuard",
                .product(name: "Yams", package: "Yams"),
            ]
        ),
        room(
            .measuring,
            "Judging",
            [
                "Basics", "Statistics", "Documents", "Evaluation", "SpineDatasets", "DeviceSimulation", "Raster",
                "ScanningPolicies", "Harness",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ]
        ),
        room(
            .measuring,
            "Reports",
            [
                "ScanningPolicies",
                "Basics", "Statistics", "Documents", "Evaluation", "SpineDatasets", "DeviceSimulation", "ImageCodec",
                "Raster",
                "Harness", "Judging",
            ],
            resources: [.embedInCode("Resources")]
        ),
        room(
            .measuring,
            "GateTrials",
            [
                "Basics", "ScanningPipeline", "SpineDatasets", "DeviceSimulation", "TextRecognition", "ImageCodec",
                "Raster",
            ]
        ),
        room(
            .drawing,
            "SpineSynthesis",
            ["SpineDatasets", "Raster", "ImageCodec", "Basics", "CPangoCairo"],
            resources: [.embedInCode("Resources")]
        ),

        // Executables.
        room(.base, "CommandSupport", [.product(name: "ArgumentParser", package: "swift-argument-parser")]),
        room(
            .command,
            "Composition",
            [
                "Documents",
                "Basics", "Raster", "ImageCodec", "TextRecognition", "OpenVINOEngine", "SpineReaders", "BookCatalogue",
                "LibraryStore", "Talaria", "ScanningPolicies", "ScanningPipeline", "SpineDatasets", "Harness",
                "Evaluation", "GateTrials", "DeviceSimulation", "VisualSearch", "ContextModel", "ContextSpace",
                "ContextStore", "ContextPipeline", "Enrichment", "Sifting",
            ]
        ),
        // What the commands share.
        room(
            .command,
            "CommandParts",
            [
                "Basics", "CommandSupport", "Documents", "SpineDatasets", "Harness", "LibraryStore", "Storage",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        // Sessions of captures, as commands and as a page.
        room(
            .command,
            "Studio",
            [
                "Basics", "CommandSupport", "CommandParts", "Composition", "Storage", "ContextModel",
                "ContextStore", "ContextPipeline", "Enrichment", "Narrative", "BookCatalogue", "ScanningPipeline",
                "SpineReaders", "Sifting", "ImageCodec", "VisualSearch", "Harness",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.embedInCode("Resources")]
        ),
        // Visual search, as commands and as a page.
        room(
            .command,
            "Finding",
            [
                "Basics", "VisualSearch", "CommandParts", "CommandSupport", "Composition", "Documents", "Harness",
                "TextRecognition", "ScanningPipeline", "SpineReaders", "BookCatalogue", "LibraryStore",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.embedInCode("Resources")]
        ),
        // Overlays and pages: how what was read is looked at.
        room(
            .command,
            "ShelfViews",
            [
                "Basics", "Raster", "ImageCodec", "TextRecognition", "BookCatalogue", "ScanningPipeline",
                "SpineDatasets",
                "SpineSynthesis", "Documents", "Harness", "Composition",
            ],
            resources: [.embedInCode("Resources")]
        ),
        program(
            .command,
            "spinebench",
            [
                "Basics", "Statistics", "Raster", "ImageCodec", "TextRecognition", "OpenVINOEngine",
                "SpineReaders", "BookCatalogue", "LibraryStore", "Storage", "Talaria", "ScanningPolicies",
                "Composition", "ScanningPipeline", "DeviceSimulation", "GateTrials", "Evaluation", "SpineDatasets",
                "DatasetExchange",
                "Harness", "Judging", "Reports",
                "SpineSynthesis", "Documents", "ShelfViews", "CommandParts", "Finding", "Studio",
                "CommandSupport",
                "PictureProcess",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.embedInCode("Resources")]
        ),
        program(
            .backEnd,
            "TalariaCommand",
            [
                "TalariaServer", "Talaria", "BookCatalogue", "SpineReaders", "ScanningPipeline", "TextRecognition",
                "Raster",
                "Basics", "CommandSupport",
                "PictureProcess",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        program(
            .checks,
            "checks",
            [
                "Documents",
                "Basics", "Statistics", "Raster", "ImageCodec", "TextRecognition", "OpenVINOEngine", "SpineReaders",
                "BookCatalogue", "LibraryStore", "Talaria", "ScanningPolicies", "Composition", "ScanningPipeline",
                "VisualSearch", "Sifting", "TalariaServer", "Evaluation", "DeviceSimulation", "GateTrials",
                "SpineDatasets", "Harness", "Judging", "ContextModel", "ContextSpace", "ContextStore",
                "ContextPipeline", "Enrichment",
                "Reports",
                "CommandSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        program(
            .checks,
            "codec-fuzz",
            [
                "Basics", "ImageCodec", "Raster",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        program(
            .checks,
            "sse-fuzz",
            ["Talaria"],
            exclude: ["dictionary.txt"]
        ),

        // Tests.
        .target(
            name: "TestSupport",
            dependencies: ["TextRecognition", "SpineDatasets", "ImageCodec", "Raster"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .target(
            name: "ServerSupport",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/ServerSupport",
            swiftSettings: strict
        ),
        tests("DocumentsTests", ["Documents"]),
        tests("HouseTests", ["TestSupport"]),
        tests("BasicsTests", ["Basics"]),
        tests(
            "CommandSupportTests",
            ["CommandSupport", .product(name: "ArgumentParser", package: "swift-argument-parser")]
        ),
        tests("RasterTests", ["Raster"]),
        tests("ImageCodecTests", ["ImageCodec", "Raster"], fixtures: true),
        tests("TextRecognitionTests", ["TextRecognition", "Raster", "TestSupport"]),
        tests("OpenVINOEngineTests", ["Basics", "OpenVINOEngine", "TextRecognition", "Raster", "TestSupport"]),
        tests("TesseractEngineTests", ["TesseractEngine", "TextRecognition", "Raster", "TestSupport"]),
        tests(
            "BookCatalogueTests",
            ["Basics", "BookCatalogue", "TestSupport", .product(name: "GRDB", package: "GRDB.swift")],
            fixtures: true
        ),
        tests(
            "TalariaTests",
            [
                "Talaria", "TestSupport", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            fixtures: true
        ),
        tests(
            "LibraryStoreTests",
            [
                "Basics", "Storage", "LibraryStore", "BookCatalogue", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        tests(
            "VisualSearchTests",
            [
                "Basics", "VisualSearch", "BookCatalogue", "LibraryStore", "ScanningPipeline", "TextRecognition",
                "ImageCodec", "Raster", "TestSupport",
            ],
            fixtures: true
        ),
        tests("WebReadingTests", ["Basics", "WebReading", "TestSupport"], fixtures: true),
        tests("SiftingTests", ["Basics", "Sifting", "Raster", "ImageCodec"]),
        tests(
            "ContextSpaceTests",
            ["Basics", "ContextModel", "ContextSpace", "Evaluation", "SpineReaders"],
            fixtures: true
        ),
        tests("NarrativeTests", ["Basics", "Narrative"], fixtures: true),
        tests(
            "EnrichmentTests",
            [
                "Basics", "ContextModel", "Enrichment", "Narrative", "BookCatalogue", "Talaria", "TalariaServer",
                "ServerSupport", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        tests(
            "ContextTests",
            [
                "Basics", "Storage", "ContextModel", "ContextStore", "ContextPipeline", "ContextSpace", "Enrichment",
                "Narrative", "BookCatalogue", "Raster", "ImageCodec", "Sifting", "checks", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        tests("ScanningPoliciesTests", ["Statistics", "ScanningPolicies"]),
        tests(
            "CompositionTests",
            [
                "Basics", "Composition", "SpineReaders", "Harness", "Judging", "TextRecognition",
                "OpenVINOEngine",
                "SpineDatasets", "Evaluation", "ScanningPolicies", "ScanningPipeline", "BookCatalogue", "Talaria",
                "LibraryStore", "Raster", "TestSupport", "ContextPipeline",
            ]
        ),
        tests(
            "DeviceSimulationTests",
            ["Basics", "Statistics", "DeviceSimulation", "ScanningPolicies", "Evaluation", "Documents"],
            fixtures: true
        ),
        tests(
            "ScanningPipelineTests",
            [
                "Basics", "ScanningPolicies", "ScanningPipeline", "LibraryStore", "Talaria", "BookCatalogue",
                "TextRecognition", "ImageCodec", "Raster", "TestSupport",
            ]
        ),
        tests(
            "TalariaServerTests",
            [
                "Basics", "TalariaServer", "checks", "Talaria", "BookCatalogue", "TextRecognition", "ImageCodec",
                "Raster",
                "ServerSupport", "TestSupport",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        tests("EvaluationTests", ["Basics", "Statistics", "Evaluation", "Raster", "TestSupport"], fixtures: true),
        tests("ObjectStorageTests", ["Basics", "ObjectStorage"]),
        tests(
            "SpineDatasetsTests",
            ["SpineDatasets", "DatasetExchange", "Basics", "Raster", "ImageCodec", "TestSupport"],
            fixtures: true
        ),
        tests(
            "HarnessTests",
            [
                "Basics", "Statistics", "Harness", "Judging", "Reports", "DeviceSimulation", "ScanningPolicies",
                "SpineDatasets",
                "Evaluation", "Documents", "ImageCodec",
                "Raster", "TestSupport",
            ],
            fixtures: true
        ),
        tests(
            "GateTrialsTests",
            [
                "Statistics", "GateTrials", "ScanningPipeline", "ScanningPolicies", "LibraryStore", "DeviceSimulation",
                "Evaluation",
                "TextRecognition", "ImageCodec", "Raster", "TestSupport",
            ]
        ),
        tests("SpineSynthesisTests", ["Basics", "SpineSynthesis", "SpineDatasets", "Raster", "ImageCodec"]),
        tests(
            "SpineBenchTests",
            [
                "Documents", "CommandParts",
                "Basics", "Statistics", "spinebench", "Composition", "SpineReaders", "Harness", "OpenVINOEngine",
                "SpineDatasets", "Evaluation", "ScanningPolicies", "ScanningPipeline",
                "DeviceSimulation", "Studio", "ContextModel", "ContextSpace", "ContextStore", "ContextPipeline",
                "ServerSupport", "TestSupport",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        tests(
            "IntegrationTests",
            [
                "Basics", "SpineReaders", "LibraryStore", "PictureProcess", "checks", "Raster", "ImageCodec",
                "TestSupport",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
