import Foundation
import Imaging
import TestSupport

typealias Folder = TemporaryFolder

extension TemporaryFolder {
    /// Calls `body` with a new, empty folder and removes that afterwards.
    static func with<Value>(_ body: (Folder) throws -> Value) throws -> Value {
        let folder = try TemporaryFolder()
        return try withExtendedLifetime(folder) { try body(folder) }
    }

    func write(_ bytes: [UInt8], to name: String) throws { try write(bytes, name) }

    func write(_ text: String, to name: String) throws { try write(text, name) }

    /// Makes a dataset of `count` samples of one printed line, with the texts `titles` in turn.
    func writeDataset(_ count: Int, to name: String = "set", titles: [String] = [TextFixture.text]) throws {
        try write(TestPicture.line(), to: "\(name)/a.png")
        let lines = (0..<count).map { TestLabel.line("s\($0)", title: titles[$0 % titles.count]) + "\n" }
        try write(lines.joined(), to: "\(name)/samples.jsonl")
    }
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
