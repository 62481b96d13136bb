// swift-tools-version: 6.2
import PackageDescription

// A program of another package: it uses what SpineBench's products make public.
let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "SpineBench", path: "..")],
    targets: [
        .executableTarget(
            name: "Bookshelf",
            dependencies: ["SpineReading", "OpenVINOReading", "BookCatalogue", "SpineScanning"].map {
                .product(name: $0, package: "SpineBench")
            },
            swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]
        )
    ],
    swiftLanguageModes: [.v6]
)
