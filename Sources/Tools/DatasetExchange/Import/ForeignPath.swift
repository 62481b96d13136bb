import Foundation

/// Path of a picture in a file of another program, machine or system.
struct ForeignPath: Equatable {
    /// Names of folders and of the file, without "." and "..".
    private(set) var steps: [String] = []
    /// Whether it begins at a root, a drive or a server, or leads above the folder that it starts in.
    private(set) var isElsewhere: Bool

    /// Name of the file.
    var name: String { steps.last ?? "" }
    var relative: String { steps.joined(separator: "/") }

    /// Returns what a text can mean: as it is written, with the separators of Windows, and as a URL.
    ///
    /// Label Studio serves local files as `/data/local-files/?d=path`.
    static func meanings(of text: String) -> [ForeignPath] {
        let path = text.replacing("\\", with: "/")
        var url = path
        if let query = path.range(of: "?d=") {
            url = String(path[query.upperBound...].prefix { $0 != "&" })
        } else if let scheme = path.range(of: "://") {
            url = String(path[scheme.upperBound...].drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" })
        } else if let query = path.firstIndex(of: "?"), path[..<query].contains(".") {
            url = String(path[..<query])
        }
        return [text, path, url.removingPercentEncoding ?? url].map(ForeignPath.init).reduce(into: []) { found, path in
            if !path.steps.isEmpty, !found.contains(path) { found.append(path) }
        }
    }

    private init(_ text: String) {
        isElsewhere = text.hasPrefix("/")
        for step in text.split(separator: "/") where step != "." {
            if step != ".." { steps.append(String(step)) } else if steps.popLast() == nil { isElsewhere = true }
        }
        if let drive = steps.first, drive.count == 2, drive.hasSuffix(":"), drive.first?.isLetter == true {
            (steps, isElsewhere) = (Array(steps.dropFirst()), true)
        }
    }

    /// Returns whether the last steps of this path are those of another.
    func ends(with other: ForeignPath) -> Bool { steps.suffix(other.steps.count) == other.steps[...] }
}
