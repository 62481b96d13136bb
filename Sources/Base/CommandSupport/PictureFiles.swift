import Basics
import Foundation
import Imaging

/// Invalid input of a command, such as a missing file: exit code 2.
public struct InputError: Error, CustomStringConvertible, Equatable {
    /// Text for messages.
    public let description: String

    /// Creates the error of a fault, with its place and the way out.
    public init(_ description: String) { self.description = description }
}

/// Pictures that a command's arguments name.
public struct PictureFiles: Sendable {
    /// Paths in the order of the arguments; those of a folder in the order of their names.
    public var paths: [String] = []
    package private(set) var skipped: [String] = []

    /// Collects the files themselves, and the pictures of folders; subfolders and overlays, which 'read' and 'shelf' draw
    /// of pictures, are omitted.
    ///
    /// Of several, a missing one stays among the paths: reading it fails, and the others are read.
    public init(_ named: [String]) throws(InputError) {
        let files = FileManager.default
        if !named.isEmpty, !named.contains(where: files.fileExists) {
            let others = named.count > 1 ? ", nor do the other \(named.count - 1)" : ""
            throw InputError("\(named[0]): cannot be read: it does not exist\(others)")
        }
        for path in named {
            if FileManager.default.isFolder(path) { try add(folder: path) } else { paths.append(path) }
        }
    }

    private mutating func add(folder: String) throws(InputError) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { !$0.hasPrefix(".") }
        } catch {
            throw InputError("\(folder): cannot read the folder: \(error.systemReason)")
        }
        let root = folder.hasSuffix("/") ? folder : folder + "/"
        var (counts, pictures) = ([0, 0, 0], [String]())
        for name in names {
            if FileManager.default.isFolder(root + name) {
                counts[0] += 1
            } else if name.lowercased().hasSuffix(".overlay.svg") {
                counts[1] += 1
            } else if ImageFormat.fileExtensions.contains(URL(fileURLWithPath: name).pathExtension.lowercased()) {
                pictures.append(root + name)
            } else {
                counts[2] += 1
            }
        }
        let nouns = [("folder", nil), ("overlay", nil), ("file that is not a picture", "files that are not pictures")]
        let left = zip(counts, nouns).filter { $0.0 > 0 }.map { NumberText.count($0, $1.0, plural: $1.1) }
            .joined(separator: ", ")
        guard !pictures.isEmpty else {
            throw InputError(
                "\(folder) contains no pictures (.png, .jpg, .jpeg, .heic, .heif)"
                    + (left.isEmpty ? "" : ", only \(left)")
            )
        }
        if !left.isEmpty { skipped.append("\(folder): skipped: \(left)") }
        paths += pictures
    }
}

/// Reading of a command's input files.
public enum InputFile {
    /// Returns the text of a file in UTF-8.
    public static func text(_ path: String) throws(InputError) -> String {
        guard let text = String(validating: try bytes(path), as: UTF8.self) else {
            throw InputError("\(path): the file is not UTF-8")
        }
        return text
    }

    /// Returns the bytes of a file of at most `most` bytes.
    ///
    /// - Throws: `InputError` with the fault: missing, a folder, too large, or without permission.
    public static func bytes(_ path: String, most: Int = .max) throws(InputError) -> [UInt8] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw InputError("\(path): cannot be read: it does not exist")
        }
        if isFolder.boolValue {
            throw InputError("\(path): cannot be read: it is a folder; expected a file")
        }
        let size = try? URL(filePath: path).resolvingSymlinksInPath().resourceValues(forKeys: [.fileSizeKey]).fileSize
        if !FileIdentity.isSpecial(path), let size, size > most {
            throw InputError("\(path): has \(size) bytes; at most \(most) are accepted")
        }
        do {
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            let reason =
                FileIdentity.isSpecial(path) ? "it is special, such as a pipe; expected a file" : error.systemReason
            throw InputError("\(path): cannot be read: \(reason)")
        }
    }
}
