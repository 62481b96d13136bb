import Foundation
import Testing

/// A text that was approved, in the folder `Fixtures` of the test target that asks.
public struct GoldenFile {
    private let file: URL

    /// - Parameters:
    ///   - name: the file's name in `Fixtures`.
    ///   - source: the test's own file; `Fixtures` is beside it or beside one of its parent folders.
    public init(_ name: String, source: String = #filePath) {
        var folder = URL(filePath: source).deletingLastPathComponent()
        while folder.path.count > 1, !FileManager.default.fileExists(atPath: folder.path + "/Fixtures") {
            folder.deleteLastPathComponent()
        }
        file = folder.appending(path: "Fixtures/" + name)
    }

    /// Expects `text` to be as it was approved, line by line; with SPINEBENCH_WRITE_GOLDEN set, approves it.
    public func expect(_ text: String) throws {
        if ProcessInfo.processInfo.environment["SPINEBENCH_WRITE_GOLDEN"] != nil {
            try Data(text.utf8).write(to: file)
        }
        let approved = try String(contentsOf: file, encoding: .utf8)
        let expected = approved.split(separator: "\n", omittingEmptySubsequences: false)
        let found = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, (found, expected)) in zip(found, expected).enumerated() {
            #expect(found == expected, "\(file.lastPathComponent), line \(index + 1)")
        }
        #expect(found.count == expected.count)
    }
}
