import Foundation
import TestSupport
import Testing

/// Layer over Apple's frameworks, whose types are checked with stand-ins on systems without the frameworks.
///
/// Not checked: the additions of the macros `@UnionValue` and `@AppIntent(schema:)` add, the metadata that Xcode
/// makes, and the system's calls.
@Suite(.inTurns) struct AppleLayerTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let compiler = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    private static let sources = root.appending(path: "Sources/Apps/AppleVisualSearch")

    #if !canImport(VisualIntelligence)
    @Test(
        .enabled(if: compiler != nil, "there is no swiftc in PATH"),
        arguments: [
            ("", ""), ("search.page(for: ContentDescriptor(input))", "search.page(of: 7)"),
            ("var target: ShelfItem", "var target: Int"),
        ]
    )
    func typesFit(text: String, replacement: String) throws {
        let folder = try TemporaryFolder()
        let standIns = Self.root.appending(path: "Tests/VisualSearchTests/Fixtures/StandIns")
        for module in ["CoreVideo", "CoreImage", "VisualIntelligence", "AppIntents"] {
            let source = try Data(contentsOf: standIns.appending(path: "\(module).txt"))
            try source.write(to: URL(filePath: folder("\(module).stand-in.swift")))
            let call = try run([
                "-swift-version", "6", "-parse-as-library", "-emit-module", "-module-name", module,
                "-emit-module-path", folder("\(module).swiftmodule"), "-I", folder.path,
                folder("\(module).stand-in.swift"),
            ])
            try #require(call.isFine, "\(call.errors)")
        }
        var files: [String] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: Self.sources.path) {
            let source = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
                .replacing("@UnionValue\n", with: "")
                .replacing("@AppIntent(schema: .visualIntelligence.semanticContentSearch)\n", with: "")
                .replacing(
                    "public struct MoreResultsIntent {",
                    with: """
                        public struct MoreResultsIntent: AppIntent {
                            public static let title: LocalizedStringResource = ""
                            public init() { fatalError() }
                        """
                )
                .replacing(text.isEmpty ? "\u{0}" : text, with: replacement)
            try Data(source.utf8).write(to: URL(filePath: folder(file)))
            files.append(folder(file))
        }
        let call = try run(
            [
                "-swift-version", "6", "-parse-as-library", "-typecheck", "-package-name", "spinebench",
                "-enable-upcoming-feature", "MemberImportVisibility",
                "-enable-upcoming-feature", "InternalImportsByDefault", "-enable-upcoming-feature", "ExistentialAny",
                "-module-name", "AppleVisualSearch", "-I", folder.path,
            ] + Self.modules() + files
        )
        // The check reports an inserted mistake.
        #expect(call.isFine == text.isEmpty, "\(call.errors)")
    }

    private func run(_ arguments: [String]) throws -> (isFine: Bool, errors: String) {
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.compiler))
        process.arguments = arguments
        let pipe = Pipe()
        (process.standardError, process.standardOutput) = (pipe, pipe)
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus == 0, String(decoding: output, as: UTF8.self))
    }

    /// Returns paths at which the compiler finds the modules of this package that the layer uses, and the C modules
    /// below them.
    private static func modules() throws -> [String] {
        // The tests' bundle is in the build's folder.
        let build = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        let checkouts = root.appending(path: ".build/checkouts").path
        var options = ["-I", build.appending(path: "Modules").path]
        for name in try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources/C").path) {
            options += ["-I", root.appending(path: "Sources/C/\(name)").path]
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: build.path) where name.hasSuffix(".build") {
            let map = build.appending(path: "\(name)/module.modulemap").path
            if FileManager.default.fileExists(atPath: map) { options += ["-Xcc", "-fmodule-map-file=\(map)"] }
        }
        let files = FileManager.default.enumerator(atPath: checkouts)?.compactMap { $0 as? String } ?? []
        for file in files where file.hasSuffix("/module.modulemap") {
            let folder = URL(filePath: "\(checkouts)/\(file)").deletingLastPathComponent()
            if folder.lastPathComponent == "GRDBSQLite" || folder.lastPathComponent == "include",
                !file.contains("SQLCipher")
            {
                options += ["-I", folder.path]
            }
        }
        return options
    }
    #endif

    @Test func theLayerIsThin() throws {
        let lines = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path).reduce(0) { count, file in
            let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
            #expect(text.hasPrefix("#if canImport(VisualIntelligence)\n") && text.hasSuffix("#endif\n"), "\(file)")
            return count + text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        }
        #expect(lines <= 250)
    }
}
