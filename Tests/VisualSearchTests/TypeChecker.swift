import Foundation
import TestSupport
import Testing

/// Checks the types of sources against the built modules of this package, with stand-ins for Apple's.
enum TypeChecker {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let compiler = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    private static let features = ["MemberImportVisibility", "InternalImportsByDefault", "ExistentialAny"]
        .flatMap { ["-enable-upcoming-feature", $0] }

    /// Makes modules of the declarations in `Fixtures/StandIns`, in this order.
    static func makeStandIns(_ names: [String], in folder: TemporaryFolder) throws {
        let standIns = root.appending(path: "Tests/VisualSearchTests/Fixtures/StandIns")
        for module in names {
            let source = try Data(contentsOf: standIns.appending(path: "\(module).txt"))
            try source.write(to: URL(filePath: folder("\(module).stand-in.swift")))
            let call = try run([
                "-swift-version", "6", "-parse-as-library", "-emit-module", "-module-name", module,
                "-emit-module-path", folder("\(module).swiftmodule"), "-I", folder.path,
                folder("\(module).stand-in.swift"),
            ])
            try #require(call.isFine, "\(call.errors)")
        }
    }

    /// Checks files as a module of this package, or as one that is not: that sees what is public.
    ///
    /// With `emits`, the module is put into the folder of the stand-ins.
    static func check(
        _ files: [String],
        as module: String,
        standIns folder: TemporaryFolder,
        isOfPackage: Bool = true,
        emits: Bool = false
    ) throws -> (isFine: Bool, errors: String) {
        let output = emits ? ["-emit-module", "-emit-module-path", folder("\(module).swiftmodule")] : ["-typecheck"]
        // SwiftPM names a package after its folder.
        let package = isOfPackage ? ["-package-name", root.lastPathComponent.lowercased()] : []
        let fixed = ["-swift-version", "6", "-parse-as-library", "-module-name", module, "-I", folder.path]
        return try run(fixed + output + package + features + modules() + files)
    }

    /// Checks a module of this package whose sources are changed.
    static func checkModule(
        _ module: String,
        standIns folder: TemporaryFolder,
        emits: Bool = false,
        _ change: (String) -> String
    ) throws -> (isFine: Bool, errors: String) {
        let sources = try #require(
            ["Base", "Kit"].map { root.appending(path: "Sources/\($0)/\(module)") }
                .first { FileManager.default.fileExists(atPath: $0.path) }
        )
        var files: [String] = []
        for file in FileManager.default.subpaths(atPath: sources.path) ?? [] where file.hasSuffix(".swift") {
            let source = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
            try folder.write(change(source), "\(module)/\(file)")
            files.append(folder("\(module)/\(file)"))
        }
        return try check(files, as: module, standIns: folder, emits: emits)
    }

    private static func run(_ arguments: [String]) throws -> (isFine: Bool, errors: String) {
        let process = Process()
        process.executableURL = URL(filePath: try #require(compiler))
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
}
