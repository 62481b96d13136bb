import Foundation

/// Folders of the project, or of the wheel, that a program belongs to.
public enum ProjectFolder {
    /// Returns a folder of the project: the value of a variable, or the first of its name above the program or the
    /// working directory.
    ///
    /// Nil without one; `file` distinguishes it from another folder of its name.
    public static func find(variable: String? = nil, named name: String, holding file: String = "") -> String? {
        if let variable, let path = ProcessInfo.processInfo.environment[variable], !path.isEmpty { return path }
        let program = Bundle.main.executableURL?.deletingLastPathComponent()
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        for start in [program, here].compactMap(\.self) {
            var folder = start.resolvingSymlinksInPath()
            while folder.path != "/" {
                let candidate = folder.appendingPathComponent(name).path
                if FileManager.default.fileExists(atPath: file.isEmpty ? candidate : "\(candidate)/\(file)") {
                    return candidate
                }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }

    /// How to get what is missing.
    public static let remedy =
        find(named: "scripts/setup.sh") == nil ? "install the wheel with its dependencies again" : "run 'make setup'"
}
