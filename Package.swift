// swift-tools-version: 6.2
import PackageDescription

/// Every target: Swift 6 language mode, explicit existentials, and an import list that says what a file really uses.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Products of each package that targets use; the lists of dependencies below name them like targets.
let products: [String: String] = [
    "swift-argument-parser": "ArgumentParser",
    "GRDB.swift": "GRDB",
    "swift-http-types": "HTTPTypes",
    "Yams": "Yams",
]

/// C libraries that some platforms do without: Apple's have CryptoKit and URLSession, and iOS decodes pictures with
/// ImageIO.
let conditions: [String: TargetDependencyCondition?] = [
    "CCurl": .when(platforms: [.linux]),
    "COpenSSL": .when(platforms: [.linux]),
    "CHEIF": .when(platforms: [.linux, .macOS]),
    "CPNG": .when(platforms: [.linux, .macOS]),
    "CTurboJPEG": .when(platforms: [.linux, .macOS]),
]

func words(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }

/// The dependencies of a list of names with spaces between.
func uses(_ names: String) -> [Target.Dependency] {
    words(names).map { name in
        if let package = products.first(where: { words($0.value).contains(name) })?.key {
            return .product(name: name, package: package)
        }
        return .target(name: name, condition: conditions[name] ?? nil)
    }
}

let embedded: [Resource] = [.embedInCode("Resources")]

func library(_ name: String, _ package: String, apt: String, brew: String) -> Target {
    .systemLibrary(
        name: name,
        path: "Sources/C/\(name)",
        pkgConfig: package,
        providers: [.apt([apt]), .brew([brew])]
    )
}

func room(
    _ folder: String,
    _ name: String,
    _ dependencies: String,
    exclude: [String] = [],
    resources: [Resource]? = nil,
    isProgram: Bool = false
) -> Target {
    let (uses, path) = (uses(dependencies), "Sources/\(folder)/\(name)")
    return isProgram
        ? .executableTarget(
            name: name,
            dependencies: uses,
            path: path,
            exclude: exclude,
            resources: resources,
            swiftSettings: strict
        )
        : .target(
            name: name,
            dependencies: uses,
            path: path,
            exclude: exclude,
            resources: resources,
            swiftSettings: strict
        )
}

/// A program; its arguments are those of a room.
func program(
    _ folder: String,
    _ name: String,
    _ uses: String,
    exclude: [String] = [],
    resources: [Resource]? = nil
) -> Target {
    room(folder, name, uses, exclude: exclude, resources: resources, isProgram: true)
}

func support(_ name: String, _ dependencies: String) -> Target {
    .target(name: name, dependencies: uses(dependencies), path: "Tests/\(name)", swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: String, fixtures: Bool = false, exclude: [String] = []) -> Target {
    .testTarget(
        name: name,
        dependencies: uses(dependencies),
        exclude: exclude,
        resources: fixtures ? [.copy("Fixtures")] : nil,
        swiftSettings: strict
    )
}

// What tests of several targets use.
let kit = "BookCatalogue Imaging ScanningPipeline ScanningPolicies Talaria TextRecognition"
let server = "TalariaServer ServerSupport HTTPServer ArgumentParser HTTPTypes"
let programs = "OpenVINOEngine spinebench spinebench-tools"
let bench = "Basics Evaluation Harness Reports SpineDatasets"

let package = Package(
    name: "SpineBench",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "spinebench", targets: ["spinebench"]),
        .executable(name: "spinebench-tools", targets: ["spinebench-tools"]),
        .executable(name: "talaria", targets: ["TalariaCommand"]),
        // What apps import: Docs/APPS.md has an example of each.
        .library(name: "SpineReading", targets: ["Imaging", "TextRecognition"]),
        .library(name: "OpenVINOReading", targets: ["OpenVINOEngine", "SpineReaders"]),
        .library(name: "TesseractReading", targets: ["TesseractEngine"]),
        .library(name: "VisionReading", targets: ["VisionEngine"]),
        .library(name: "BookCatalogue", targets: ["Basics", "BookCatalogue"]),
        .library(name: "SpineScanning", targets: ["ScanningPipeline", "ScanningPolicies", "Talaria"]),
        .library(name: "SpineBenchKit", targets: ["SpineBenchKit"]),
        .library(name: "VisualSearch", targets: ["VisualSearch"]),
        .library(name: "AppleVisualSearch", targets: ["AppleVisualSearch"]),
        // What programs of other packages share with this one's: commands, files, and pages for this machine's browser.
        .library(name: "ProgramSupport", targets: ["Basics", "CommandSupport", "HTTPServer", "LocalPages"]),
        .library(name: "TestSupport", targets: ["ServerSupport", "TalariaServer", "TestSupport"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
    ],
    targets: [
        // C libraries: a module map and a shim each, imported by one Swift target.
        library("CPNG", "libpng", apt: "libpng-dev", brew: "libpng"),
        library("CTurboJPEG", "libturbojpeg", apt: "libturbojpeg0-dev", brew: "jpeg-turbo"),
        library("CHEIF", "libheif", apt: "libheif-dev", brew: "libheif"),
        library("CTesseract", "tesseract", apt: "libtesseract-dev", brew: "tesseract"),
        library("CCurl", "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
        library("COpenSSL", "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
        library("CPangoCairo", "pangocairo", apt: "libpango1.0-dev", brew: "pango"),
        // Opened when it is needed: the package builds without OpenVINO.
        .target(name: "COpenVINO", path: "Sources/C/COpenVINO"),
        // The kernel's filter for processes that are to stay off the network.
        .target(name: "CNetworkGuard", path: "Sources/C/CNetworkGuard"),

        // Under everything else.
        room("Base", "Basics", "COpenSSL"),
        room("Base", "Statistics", "Basics"),
        room("Base", "Documents", ""),
        room("Base", "CommandSupport", "Basics Documents Imaging ArgumentParser"),
        room("Base", "Imaging", "Basics CHEIF CPNG CTurboJPEG"),
        // Reading spines and naming books, as an app does it.
        room(
            "Kit",
            "BookCatalogue",
            "Basics GRDB",
            exclude: ["Resources/CARD.md"],
            resources: [
                .copy("Resources/books.csv"), .copy("Resources/labelled.csv"), .embedInCode("Resources/words.txt"),
            ]
        ),
        room("Kit", "OpenVINOEngine", "Basics COpenVINO Imaging TextRecognition"),
        room("Kit", "ScanningPipeline", "Basics BookCatalogue Imaging ScanningPolicies Talaria TextRecognition"),
        room("Kit", "ScanningPolicies", "Basics"),
        room("Kit", "SpineReaders", "Basics Imaging OpenVINOEngine TesseractEngine TextRecognition VisionEngine"),
        room("Kit", "Talaria", "Basics CCurl"),
        room("Kit", "TesseractEngine", "Basics CTesseract Imaging TextRecognition"),
        room("Kit", "TextRecognition", "Basics Imaging"),
        room("Kit", "VisionEngine", "Basics Imaging TextRecognition"),
        room("Kit", "VisualSearch", "Basics BookCatalogue Imaging ScanningPipeline TextRecognition"),
        room("Kit", "AppleVisualSearch", "Imaging ScanningPipeline VisualSearch"),
        // Measuring in an app, without the rest.
        room("Kit", "SpineBenchKit", ""),
        // Measuring, judging and reporting.
        room("Bench", "Evaluation", "Basics Statistics Documents Imaging ScanningPolicies SpineDatasets"),
        room(
            "Bench",
            "Harness",
            "Basics Statistics Documents CNetworkGuard Evaluation Imaging ScanningPolicies SpineDatasets Yams",
            resources: ["a15", "figures", "identifiers"].map { .embedInCode("Phones/Resources/\($0).json") }
                + [.embedInCode("Claims/standard-targets.yaml")]
        ),
        room(
            "Bench",
            "Reports",
            "Basics Statistics Documents Evaluation Harness Imaging ScanningPolicies SpineDatasets",
            resources: embedded
        ),
        room(
            "Bench",
            "SpineDatasets",
            "Basics Statistics Imaging",
            resources: embedded
        ),
        // The program.
        room(
            "Command",
            "Systems",
            """
            Basics BookCatalogue CommandSupport Evaluation Harness Imaging OpenVINOEngine
            ScanningPipeline ScanningPolicies SpineDatasets SpineReaders Talaria TextRecognition VisualSearch ArgumentParser
            """
        ),
        program(
            "Command",
            "spinebench",
            """
            Basics Documents BookCatalogue CommandSupport Systems Evaluation Harness HTTPServer Imaging LocalPages
            OpenVINOEngine Reports ScanningPipeline ScanningPolicies SpineDatasets SpineReaders Talaria TextRecognition
            VisualSearch ArgumentParser HTTPTypes
            """,
            resources: embedded
        ),
        // The back end, and servers of pages.
        room("Server", "HTTPServer", "HTTPTypes"),
        room("Server", "LocalPages", "CommandSupport HTTPServer SpineDatasets HTTPTypes"),
        program(
            "Server",
            "TalariaCommand",
            """
            BookCatalogue CommandSupport Imaging ScanningPipeline SpineReaders Talaria TalariaServer
            TextRecognition ArgumentParser
            """
        ),
        room(
            "Server",
            "TalariaServer",
            "Basics BookCatalogue HTTPServer Imaging Talaria ArgumentParser GRDB HTTPTypes",
            resources: [.embedInCode("openapi.json")]
        ),
        // Drawing, exchange of formats.
        room(
            "Tools",
            "DatasetExchange",
            "Basics Evaluation Harness Imaging SpineDatasets",
            resources: embedded
        ),
        room(
            "Tools",
            "RunHistory",
            "Basics Statistics Documents Evaluation Harness Reports SpineDatasets"
        ),
        room(
            "Tools",
            "SpineSynthesis",
            "Basics Documents CPangoCairo Imaging SpineDatasets",
            resources: embedded
        ),
        program("Tools", "codec-fuzz", "Basics Imaging", exclude: ["dictionary.txt"]),
        program(
            "Tools",
            "spinebench-tools",
            """
            Basics Statistics Documents BookCatalogue CommandSupport Systems DatasetExchange Evaluation Harness HTTPServer
            Imaging LocalPages OpenVINOEngine Reports RunHistory ScanningPipeline ScanningPolicies SpineDatasets
            SpineReaders SpineSynthesis TextRecognition ArgumentParser HTTPTypes
            """,
            resources: embedded
        ),
        program("Tools", "sse-fuzz", "Talaria", exclude: ["dictionary.txt"]),

        // Tests.
        support("ServerSupport", "HTTPServer HTTPTypes"),
        support("TestSupport", "Basics Statistics Imaging SpineDatasets TextRecognition"),
        tests("BasicsTests", "Basics Statistics Documents TestSupport", fixtures: true),
        tests("BookCatalogueTests", "Basics BookCatalogue TestSupport GRDB", fixtures: true),
        tests("CommandSupportTests", "CommandSupport ArgumentParser"),
        tests(
            "SystemsTests",
            "\(kit) \(bench) Systems OpenVINOEngine SpineReaders TestSupport"
        ),
        tests("EvaluationTests", "Basics Statistics Evaluation Imaging SpineDatasets TestSupport", fixtures: true),
        tests("HarnessTests", "\(bench) Imaging ScanningPolicies TestSupport Documents Statistics", fixtures: true),
        tests("HouseTests", "TestSupport"),
        tests("HTTPServerTests", "HTTPServer HTTPTypes ServerSupport TestSupport"),
        tests("ImagingTests", "Imaging", fixtures: true),
        tests(
            "IntegrationTests",
            "Basics BookCatalogue CommandSupport Imaging SpineReaders TestSupport",
            exclude: ["Transcripts"]
        ),
        tests("OpenVINOEngineTests", "Basics COpenVINO Imaging OpenVINOEngine TextRecognition TestSupport"),
        tests("RunHistoryTests", "Basics Statistics Evaluation Harness RunHistory SpineDatasets TestSupport"),
        tests("ScanningPipelineTests", "\(kit) Basics TestSupport"),
        tests("ScanningPoliciesTests", "Basics ScanningPolicies TestSupport"),
        tests("SpineBenchKitTests", "Imaging SpineBenchKit TesseractEngine TestSupport TextRecognition"),
        tests(
            "SpineBenchTests",
            """
            \(kit) \(bench) \(server) \(programs) CommandSupport LocalPages Systems SpineReaders TestSupport Statistics
            """
        ),
        tests(
            "SpineDatasetsTests",
            "Basics DatasetExchange Evaluation Harness Imaging ScanningPolicies SpineBenchKit SpineDatasets TestSupport",
            fixtures: true
        ),
        tests("SpineSynthesisTests", "Basics Imaging SpineDatasets SpineSynthesis"),
        tests("TalariaServerTests", "\(kit) \(server) Basics TestSupport GRDB"),
        tests("TalariaTests", "Talaria TestSupport", fixtures: true),
        tests("TextRecognitionTests", "Basics Imaging TesseractEngine TextRecognition TestSupport"),
        tests("VisualSearchTests", "\(kit) Basics VisualSearch TestSupport", fixtures: true),
    ],
    swiftLanguageModes: [.v6]
)

// With SPINEBENCH_TESTS set, the package is these test targets and what they use: 'make test-unit'.
if let tests = Context.environment["SPINEBENCH_TESTS"] {
    var needed = Set(words(tests))
    var rest = Array(needed)
    while let name = rest.popLast() {
        for case .targetItem(let name, _) in package.targets.first(where: { $0.name == name })?.dependencies ?? []
        where needed.insert(name).inserted { rest.append(name) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}
