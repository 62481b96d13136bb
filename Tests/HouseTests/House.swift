import Foundation

/// The repository as text: nothing is built, and SwiftPM, whose lock a test must not wait for, is not asked.
enum House {
    static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Paths of the files below a folder, relative to the repository, that end with one of `endings`.
    static func files(below folder: String, _ endings: String...) -> [String] {
        (FileManager.default.subpaths(atPath: root.appending(path: folder).path) ?? [])
            .filter { path in endings.contains(where: path.hasSuffix) }.map { "\(folder)/\($0)" }.sorted()
    }

    /// Markdown that people read: not what tests compare with.
    static func documents() throws -> [String] {
        let top = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".md") }
        let below = ["Docs", "Suites", "Devices", "Reports", "Datasets", "Deploy", "Sources", "Tests"]
            .flatMap { files(below: $0, ".md") }
        return (top + below).sorted()
            .filter { path in !["/Fixtures/", "Reports/runs/", "Reports/comparisons/"].contains(where: path.contains) }
    }
}

/// A target of `Sources` as Package.swift declares it.
struct HouseTarget {
    var name: String
    /// A case of `Floor`.
    var floor: String
    /// Targets of this package.
    var dependencies: [String] = []
    /// Products of other packages.
    var products: [String] = []

    /// The name that imports use.
    var module: String { name.replacing("-", with: "_") }
}

/// Floors and targets of `Sources`, as Package.swift declares them.
struct HousePlan {
    /// Cases of `Floor` and their folders, from the ground up.
    var floors: [(name: String, folder: String)]
    var targets: [HouseTarget]
    /// Products of other packages that any target uses, tests too.
    var products: Set<String>

    init(manifest: String) {
        floors = manifest.matches(of: /\n    case (\w+) = "(\w+)"/).map { (String($0.1), String($0.2)) }
        var found: [HouseTarget] = []
        for call in manifest.matches(of: /(?:room|program)\(\s*\.(\w+),\s*"([\w-]+)"/) {
            var target = HouseTarget(name: String(call.2), floor: String(call.1))
            // What follows the name is the list of dependencies, unless it has a label.
            var list = Substring()
            let rest = manifest[call.range.upperBound...]
            if let open = rest.prefixMatch(of: /\s*,\s*\[/) {
                var depth = 1
                list = rest[open.range.upperBound...].prefix { character in
                    depth += character == "[" ? 1 : character == "]" ? -1 : 0
                    return depth > 0
                }
            }
            let product = /\.product\(\s*name: "([\w-]+)",\s*package: "[\w.-]+"\s*\)/
            target.products = list.matches(of: product).map { String($0.1) }
            target.dependencies = list.replacing(product, with: "").matches(of: /"([\w-]+)"/).map { String($0.1) }
            found.append(target)
        }
        found += manifest.matches(of: /library\("(\w+)"/).map { HouseTarget(name: String($0.1), floor: "c") }
        found += manifest.matches(of: /path: Floor\.(\w+)\.path\("([\w-]+)"\)/)
            .map { HouseTarget(name: String($0.2), floor: String($0.1)) }
        targets = found
        products = Set(manifest.matches(of: /\.product\(\s*name: "([\w-]+)"/).map { String($0.1) })
    }

    /// 0 for the ground floor; nil for a floor that `Floor` has not.
    func level(of target: HouseTarget) -> Int? { floors.firstIndex { $0.name == target.floor } }

    func folder(of target: HouseTarget) -> String {
        "Sources/\(floors.first { $0.name == target.floor }?.folder ?? "?")/\(target.name)"
    }
}
