import Basics
import Foundation

/// The files of a dataset's pictures.
enum PictureFile {
    /// Why there are no bytes, as a fault of the label goes on after "image".
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    /// The first bytes of a picture, which has to lie in the dataset's folder, links followed.
    ///
    /// - Parameters:
    ///   - image: Its path inside the dataset.
    ///   - root: The dataset's folder, without links.
    ///   - limit: How many bytes to read at most.
    /// - Returns: No bytes of an empty file.
    /// - Throws: `Problem` when the path leads out of the folder, or the file cannot be read.
    static func bytes(of image: String, in root: String, limit: Int) throws(Problem) -> [UInt8] {
        let path = URL(filePath: "\(root)/\(image)").resolvingSymlinksInPath().path
        guard path.hasPrefix(root == "/" ? root : root + "/") else {
            throw Problem(description: "\"\(image)\" is a link out of the dataset; expected a file below its folder")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            let handle = FileHandle(forReadingAtPath: path)
        else {
            throw Problem(description: "\"\(image)\" cannot be read")
        }
        do {
            // Nothing is read of an empty file.
            return [UInt8](try handle.read(upToCount: limit) ?? Data())
        } catch {
            throw Problem(description: "\"\(image)\" cannot be read: \(error.systemReason)")
        }
    }
}
