internal import Basics
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
        let folder =
            ProjectFolder.find(variable: variable, named: ".deps/openvino/libs", holding: file)
            ?? ProjectFolder.find(named: "openvino/libs")
        // Beside this project's wheel lies PyPI's package, which has the name with a version alone.
        let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        let name = names.filter { $0.hasPrefix(file) }.min() ?? file
        // Then the package that this was built of, and last where the system has its libraries.
        let package = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
        let own = package.appending(path: ".deps/openvino/libs/\(file)").path
        let path = folder.map { "\($0)/\(name)" } ?? (FileManager.default.fileExists(atPath: own) ? own : file)
        guard let reason = openvino_open(path) else { return nil }
        return (path == file ? "not installed" : "cannot open \(String(cString: reason))")
            + "; \(ProjectFolder.remedy), or set \(variable) to the folder with \(file)"
    }()
}
