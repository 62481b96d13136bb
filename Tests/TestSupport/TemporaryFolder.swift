import Foundation
import Imaging

/// Folder that is removed after the test.
public final class TemporaryFolder {
    /// Path of the folder.
    public let path: String

    /// Makes a new, empty folder.
    public init() throws {
        path = FileManager.default.temporaryDirectory.path + "/spinebench-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of something inside.
    public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a text file, and the folders on the way to it.
    public func write(_ text: String, _ name: String) throws { try write(Array(text.utf8), name) }

    /// Writes a file, and the folders on the way to it.
    public func write(_ bytes: [UInt8], _ name: String) throws {
        let url = URL(filePath: self(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// Returns the contents of a text file.
    public func text(of name: String) throws -> String { try String(contentsOfFile: self(name), encoding: .utf8) }

    /// Returns the lines of a file, without the empty one at its end.
    public func lines(of name: String) throws -> [String] {
        try text(of: name).split(separator: "\n").map(String.init)
    }

    /// Returns whether there is something of this name inside.
    public func contains(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self(name)) }
}

/// The smallest picture that decodes.
public let tinyPNG: [UInt8] = {
    let image = RasterImage(width: 2, height: 2, channels: 1, filledWith: 128)
    return (try? ImageCodec.encodePNG(image)) ?? []
}()
