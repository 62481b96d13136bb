public import Foundation

extension String {
    /// The path, or the argument of a command line, with the home folder for a `~` that a path begins with: at its
    /// beginning, and behind the `=` of an option or a setting, where a shell leaves it as it is.
    ///
    /// `./~` is a folder of that name; so is `~name` when there is no user of that name.
    public var withHomeFolder: String {
        guard let start = pathStart else { return self }
        let path = self[start...]
        let name = path.prefix { $0 != "/" }
        let folder =
            name == "~"
            ? ProcessInfo.processInfo.environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
            : (String(name) as NSString).expandingTildeInPath
        let whole = (folder == "/" ? "" : folder) + path.dropFirst(name.count)
        return self[..<start] + (whole.isEmpty ? "/" : whole)
    }

    /// Place of the `~` that a path begins with; nil without one.
    private var pathStart: Index? {
        if hasPrefix("~") { return startIndex }
        // Of text with spaces, such as a command, the shell that runs it finds the path.
        guard let place = firstRange(of: "=~"), !self[..<place.lowerBound].contains(where: \.isWhitespace) else {
            return nil
        }
        let start = index(after: place.lowerBound)
        let isOption = hasPrefix("--") && firstIndex(of: "=") == place.lowerBound
        return isOption || self[start...].hasPrefix("~/") ? start : nil
    }
}

/// Folders of the user for this project's files.
public enum UserFolder {
    /// Folder of data by the XDG Base Directory Specification, which has relative paths ignored.
    public static func data(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (data ?? "\(environment["HOME"] ?? NSHomeDirectory())/.local/share") + "/spinebench"
    }

    /// Folder of caches: `SPINEBENCH_CACHE`, or the user's; nil without one.
    public static var cache: String? {
        if let path = ProcessInfo.processInfo.environment["SPINEBENCH_CACHE"], !path.isEmpty { return path }
        return FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
            .appendingPathComponent("spinebench").path
    }
}

extension FileManager {
    /// Returns whether a path is a folder.
    public func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
