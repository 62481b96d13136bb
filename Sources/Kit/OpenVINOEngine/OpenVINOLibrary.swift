internal import COpenVINO
internal import Foundation

/// OpenVINO's shared library, which is opened at its first use.
enum OpenVINOLibrary {
    #if canImport(Darwin)
    private static let file = "libopenvino_c.dylib"
    #else
    private static let file = "libopenvino_c.so"
    #endif

    /// Opens the library; nil afterwards, or why it is missing.
    static let problem: String? = {
        let variable = "SPINEBENCH_OPENVINO"
        let folder = ProjectFolder.find(variable: variable, named: ".deps/openvino/libs", holding: file)
        // Then the package that this was built of, and last where the system has its libraries.
        let package = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
        let own = package.appending(path: ".deps/openvino/libs/\(file)").path
        let path = folder.map { "\($0)/\(file)" } ?? (FileManager.default.fileExists(atPath: own) ? own : file)
        guard let reason = openvino_open(path) else { return nil }
        return (path == file ? "not installed" : "cannot open \(String(cString: reason))")
            + "; run 'make setup', or set \(variable) to the folder with \(file)"
    }()
}

/// Folders of the project that a program belongs to.
package enum ProjectFolder {
    /// Returns a folder of the project: the value of a variable, or the first of its name above the program or the
    /// working directory.
    ///
    /// Nil without one; `file` distinguishes it from another folder of its name.
    package static func find(variable: String, named name: String, holding file: String = "") -> String? {
        if let path = ProcessInfo.processInfo.environment[variable], !path.isEmpty { return path }
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
}
