import Basics
import Foundation
package import Harness

/// A file that a command reads.
package enum InputFile {
    /// The whole file.
    ///
    /// - Throws: `HarnessError.configuration` with what is wrong: it is not there, a folder, or may not be read.
    package static func bytes(_ path: String) throws(HarnessError) -> [UInt8] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw .configuration("\(path): cannot be read: it does not exist")
        }
        if isFolder.boolValue {
            throw .configuration("\(path): cannot be read: it is a folder, and a file is expected")
        }
        do {
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .configuration("\(path): cannot be read: \(error.systemReason)")
        }
    }
}
