import Foundation
import Imaging
import TestSupport

/// Separate folder for one test.
struct Folder {
    let path: String

    /// Calls `body` with a new, empty folder and removes that afterwards.
    static func with<Value>(_ body: (Folder) throws -> Value) throws -> Value {
        let folder = Folder(path: FileManager.default.temporaryDirectory.path + "/spinebench-" + UUID().uuidString)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        return try body(folder)
    }

    /// Returns the path of something inside.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ bytes: [UInt8], to name: String) throws {
        let file = URL(filePath: self(name))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func text(of name: String) throws -> String { try String(contentsOfFile: self(name), encoding: .utf8) }

    /// Returns the lines of a file, without the empty one at its end.
    func lines(of name: String) throws -> [String] {
        try text(of: name).split(separator: "\n").map(String.init)
    }

    func contains(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self(name)) }
}

/// Pictures to read.
enum TestPicture {
    /// Returns one printed line, `TextFixture.text`, in a white PNG of 480 × 96 pixels, right way up.
    static func line() throws -> [UInt8] { try ImageCodec.encodePNG(TextFixture.line(onWidth: 480, height: 96)) }

    /// Returns an even grey PNG of 4 × 4 pixels.
    static func tiny() throws -> [UInt8] {
        try ImageCodec.encodePNG(RasterImage(width: 4, height: 4, channels: 3, filledWith: 200))
    }
}

/// Lines of `samples.jsonl`.
enum TestLabel {
    /// Returns a label for `image` in which every field is right; `changes` replaces raw JSON values, nil takes a
    /// field out.
    static func line(
        _ id: String,
        image: String = "a.png",
        title: String = TextFixture.text,
        changes: [String: String?] = [:]
    ) -> String {
        var fields: [String: String] = [
            "id": "\"\(id)\"", "image": "\"\(image)\"", "category": "\"vertical\"", "title": "\"\(title)\"",
            "transcription": "\"\(TextFixture.text)\"", "orientation": "\"upright\"",
        ]
        for (name, value) in changes { fields[name] = value }
        return "{" + fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
            + "}"
    }
}
