import Foundation

/// Lines that outlive the process that writes them: the system has them when a call returns.
struct Journal: Sendable {
    private let file: FileHandle

    init(path: String) throws {
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        file = try FileHandle(forWritingTo: URL(filePath: path))
    }

    /// Writes a line of words in one piece.
    func add(_ words: Any...) throws {
        try file.seekToEnd()
        try file.write(contentsOf: Data("\(words.map { "\($0)" }.joined(separator: " "))\n".utf8))
    }

    /// Returns the words of each line.
    static func lines(path: String) throws -> [[String]] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }
}
