import Foundation
import SpineDatasets

/// Finder of the labels' pictures in their folder.
struct PictureFinder {
    let folder: String
    private let root: String
    /// Paths below the folder by the file's name.
    private let paths: [String: [String]]
    private let stems: [String: [String]]
    /// Paths that were asked for and found.
    private var used: Set<String> = []

    /// Lists the folder and those in it; hidden ones are omitted, and links to folders are not followed.
    init(folder: String) {
        self.folder = folder
        root = URL(filePath: folder).resolvingSymlinksInPath().path
        var paths: [String: [String]] = [:]
        var stems: [String: [String]] = [:]
        let files = FileManager.default.enumerator(
            at: URL(filePath: root),
            includingPropertiesForKeys: [],
            options: .skipsHiddenFiles
        )
        while let file = files?.nextObject() as? URL {
            guard Self.endings.contains(file.pathExtension.lowercased()) else { continue }
            let path = String(file.path.dropFirst(root.count + 1))
            paths[file.lastPathComponent, default: []].append(path)
            stems[file.deletingPathExtension().lastPathComponent, default: []].append(path)
        }
        self.paths = paths
        self.stems = stems
    }

    /// File name endings of pictures, those that will be refused by name included.
    private static let endings: Set<String> = [
        "png", "jpg", "jpeg", "heic", "heif", "tif", "tiff", "webp", "gif", "bmp", "avif", "jp2", "jxl",
    ]

    /// Number of pictures that nothing has asked for.
    var unused: Int { paths.values.reduce(0) { $0 + $1.count } - used.count }

    /// Returns the picture that labels call `name`, as a path below the folder.
    ///
    /// A missing path is tried without its first folders, and with folders in front: exports are moved between
    /// folders. A name without an ending is that of the one picture with such a name.
    mutating func find(_ name: String) throws(ImportFault) -> String {
        let path = name.contains("/") ? name : name.replacing("\\", with: "/")
        let steps = path.split(separator: "/").map(String.init).filter { $0 != "." }
        guard !steps.contains("..") else {
            throw ImportFault("picture \"\(name)\" is outside the source; expected a path below its folder")
        }
        guard let last = steps.last else { throw ImportFault("picture \"\(name)\" is not a file name") }
        let relative = steps.joined(separator: "/")
        if !path.hasPrefix("/"), let found = try inside(relative, name) {
            used.insert(found)
            return found
        }
        var matches = paths[last, default: []].filter { Self.isEnd($0, of: relative) || Self.isEnd(relative, of: $0) }
        if matches.isEmpty { matches = stems[last, default: []] }
        // Label Studio puts eight hexadecimal digits in front of the names of uploads.
        if matches.isEmpty, let original = Self.withoutHash(last) { matches = paths[original, default: []] }
        guard matches.count <= 1 else {
            throw ImportFault("picture \"\(name)\" is ambiguous: \(matches.sorted().joined(separator: " or "))")
        }
        guard let match = matches.first, let checked = try inside(match, name) else {
            throw ImportFault("picture \"\(name)\" does not exist in \(folder)")
        }
        used.insert(checked)
        return checked
    }

    /// Returns the path of an existing file without a link out of the folder; nil when there is none.
    private func inside(_ path: String, _ name: String) throws(ImportFault) -> String? {
        let file = URL(filePath: root + "/" + path)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        guard file.resolvingSymlinksInPath().path.hasPrefix(root + "/") else {
            throw ImportFault("picture \"\(name)\" links outside the source; copy the file into the source")
        }
        return path
    }

    func file(_ path: String) -> URL { URL(filePath: root + "/" + path) }

    private static func isEnd(_ end: String, of path: String) -> Bool { path == end || path.hasSuffix("/" + end) }

    private static func withoutHash(_ name: String) -> String? {
        let parts = name.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, parts[0].count == 8, parts[0].allSatisfy(\.isHexDigit) else { return nil }
        return String(parts[1])
    }
}
