import ArgumentParser
import Foundation
import ImageCodec

/// Pictures as the command line names them.
enum PictureFiles {
    /// The file itself, or the pictures of a folder in the order of their names.
    ///
    /// - Throws: `ValidationError` for a folder without pictures; the system's error when it cannot be read.
    static func at(_ path: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return [path]
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            .filter { ImageFormat.fileExtensions.contains(URL(fileURLWithPath: $0).pathExtension.lowercased()) }
        guard !names.isEmpty else {
            throw ValidationError("\(path) holds no pictures (.png, .jpg, .jpeg, .heic, .heif).")
        }
        return names.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
    }
}
