import Foundation

/// The repository as text: nothing is built, and SwiftPM, whose lock a test must not wait for, is not asked.
enum House {
    static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Returns paths of the files below a folder, relative to the repository, that end with one of `endings`.
    static func files(below folder: String, _ endings: String...) -> [String] {
        (FileManager.default.subpaths(atPath: root.appending(path: folder).path) ?? [])
            .filter { path in endings.contains(where: path.hasSuffix) }.map { "\(folder)/\($0)" }.sorted()
    }

    static func isFolder(_ path: String) throws -> Bool {
        try root.appending(path: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
    }

    /// Returns Markdown for people, without the tests' expected files.
    static func documents() throws -> [String] {
        let top = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".md") }
        let below = ["Apps", "Docs", "Suites", "Devices", "Reports", "Datasets", "Deploy", "Sources", "Tests"]
            .flatMap { files(below: $0, ".md") }
        return (top + below).sorted()
            .filter { path in !["/Fixtures/", "Reports/runs/", "Reports/comparisons/"].contains(where: path.contains) }
    }
}

/// A target of `Sources` as Package.swift declares it.
struct HouseTarget: Equatable {
    var name: String
    /// Folder of `Sources`.
    var folder: String
    /// Targets of this package and products of others.
    var uses: [String] = []

    /// The name that imports use.
    var module: String { name.replacing("-", with: "_") }
}

/// Folders and targets of `Sources`, as Package.swift declares them.
struct HousePlan {
    /// Folders of `Sources`, from the ground up.
    static let folders = ["C", "Base", "Kit", "Bench", "Server", "Command", "Tools"]

    var targets: [HouseTarget]
    /// Products of other packages.
    var products: Set<String>

    init(manifest: String) {
        targets = manifest.matches(of: /(?:room|program)\(\s*"(\w+)",\s*"([\w-]+)",\s*"+([\w\s-]*)"/)
            .map { call in
                let uses = call.3.split(whereSeparator: \.isWhitespace).map(String.init)
                return HouseTarget(name: String(call.2), folder: String(call.1), uses: uses)
            }
        targets += manifest.matches(of: /library\("(\w+)"/).map { HouseTarget(name: String($0.1), folder: "C") }
        targets += manifest.matches(of: /path: "Sources\/(\w+)\/([\w-]+)"/)
            .map { HouseTarget(name: String($0.2), folder: String($0.1)) }
        products = Set(
            manifest.matches(of: /\n    "[\w.-]+": "([\w ]+)",/).flatMap { $0.1.split(separator: " ").map(String.init) }
        )
    }

    /// 0 for the lowest folder; nil for an unknown one.
    func level(of target: HouseTarget) -> Int? { Self.folders.firstIndex(of: target.folder) }

    func path(of target: HouseTarget) -> String { "Sources/\(target.folder)/\(target.name)" }
}
