import Foundation
import SpineDatasets

/// Finder of the labels' pictures in their folder.
struct PictureFinder {
    let folder: String
    private let root: String
    /// Pictures below the folder by the file's name, by that without its ending, and by that in lower case.
    private let byName: [String: [ForeignPath]]
    private let byStem: [String: [ForeignPath]]
    private let byLowerCase: [String: [ForeignPath]]
    private let count: Int
    /// What labels call each picture that was found, and whether nothing of that is missing in its path.
    private var found: [String: (stated: ForeignPath, isWhole: Bool)] = [:]
    /// Pictures whose folders are not those of the labels.
    private var displaced: Set<String> = []

    /// Lists the folder and those in it; hidden ones are omitted, and links to folders are not followed.
    init(folder: String) {
        self.folder = folder
        let root = URL(filePath: folder).resolvingSymlinksInPath().path
        self.root = root
        let files = FileManager.default.enumerator(
            at: URL(filePath: root),
            includingPropertiesForKeys: [],
            options: .skipsHiddenFiles
        )
        let paths = (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { Self.isPicture($0.lastPathComponent) }
            .compactMap { ForeignPath.meanings(of: String($0.path.dropFirst(root.count + 1))).first }
        count = paths.count
        byName = Dictionary(grouping: paths, by: \.name)
        byStem = Dictionary(grouping: paths) { URL(filePath: $0.name).deletingPathExtension().lastPathComponent }
        byLowerCase = Dictionary(grouping: paths) { $0.name.lowercased() }
    }

    /// Returns whether a file's name is that of a picture, of those that will be refused by name included.
    static func isPicture(_ name: String) -> Bool {
        name.lastIndex(of: ".").map { endings.contains(name[name.index(after: $0)...].lowercased()) } ?? false
    }

    private static let endings: Set<String> = [
        "png", "jpg", "jpeg", "heic", "heif", "tif", "tiff", "webp", "gif", "bmp", "avif", "jp2", "jxl",
    ]

    /// Number of pictures that nothing has asked for.
    var unused: Int { count - found.count }

    /// Number of pictures that were found by the file's name alone.
    var displacedCount: Int { displaced.count }

    /// Returns the picture that labels call `name`, as a path below the folder.
    ///
    /// Exports are moved between folders and machines: a path that is missing is tried without its first folders, with
    /// folders in front, and as the one picture with its file name. A name without an ending is that of the one picture
    /// with such a name. A path that leads out of the folder is never opened.
    mutating func find(_ name: String) throws(ImportFault) -> String {
        let meanings = ForeignPath.meanings(of: name)
        guard let stated = meanings.last else { throw ImportFault("picture \"\(name)\" is not a file name") }
        for path in meanings where !path.isElsewhere {
            if try isInside(path.relative, name) { return try take(path, path, name) }
        }
        let fitting = meanings.flatMap { path in
            byName[path.name, default: []].filter { $0.ends(with: path) || path.ends(with: $0) }
        }
        let named = meanings.flatMap { byName[$0.name, default: []] }
        let stems = meanings.flatMap { byStem[$0.name, default: []] }
        // Label Studio puts eight hexadecimal digits in front of the names of uploads.
        let uploads = meanings.compactMap { Self.withoutHash($0.name) }.flatMap { byName[$0, default: []] }
        let others = meanings.flatMap { byLowerCase[$0.name.lowercased(), default: []] }
        for matches in [fitting, named, stems, uploads, others] {
            guard let match = matches.first else { continue }
            let paths = Set(matches.map(\.relative)).sorted()
            guard paths.count == 1, try isInside(match.relative, name) else {
                throw ImportFault("picture \"\(name)\" is ambiguous: \(paths.joined(separator: " or "))")
            }
            if fitting.isEmpty, matches == named { displaced.insert(match.relative) }
            return try take(match, matches == stems ? match : stated, name)
        }
        let isOutside = name.contains("../") || name.contains("..\\")
        let problem = isOutside ? "is outside the source, and no picture of its name is" : "does not exist"
        throw ImportFault("picture \"\(name)\" \(problem) in \(folder)")
    }

    /// Takes a picture for a name, unless it is taken for another one that may mean another picture.
    private mutating func take(
        _ path: ForeignPath,
        _ stated: ForeignPath,
        _ name: String
    ) throws(ImportFault) -> String {
        let isWhole = path.ends(with: stated)
        if let other = found[path.relative], other.stated.steps != stated.steps, !(isWhole && other.isWhole) {
            throw ImportFault(
                "picture \"\(name)\" is ambiguous: \(path.relative), the only one of that name, is also "
                    + "\"\(other.stated.relative)\"; put the pictures into the folders that the labels name"
            )
        }
        found[path.relative] = found[path.relative] ?? (stated, isWhole)
        return path.relative
    }

    /// Returns whether a path is of a file that exists, without a link out of the folder.
    private func isInside(_ path: String, _ name: String) throws(ImportFault) -> Bool {
        let file = URL(filePath: root + "/" + path)
        guard FileManager.default.fileExists(atPath: file.path) else { return false }
        guard file.resolvingSymlinksInPath().path.hasPrefix(root + "/") else {
            throw ImportFault("picture \"\(name)\" links outside the source; copy the file into the source")
        }
        return true
    }

    func file(_ path: String) -> URL { URL(filePath: root + "/" + path) }

    private static func withoutHash(_ name: String) -> String? {
        let parts = name.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, parts[0].count == 8, parts[0].allSatisfy(\.isHexDigit) else { return nil }
        return String(parts[1])
    }
}
