package import CommandSupport
import Foundation
import Harness
import Imaging
package import SpineDatasets
import TextRecognition

extension PictureFiles {
    /// Keeps the files of a part: membership depends on the file's name alone, wherever its folder is.
    package mutating func keep(_ part: Part) {
        paths = paths.filter { part.holds(group: URL(fileURLWithPath: $0).lastPathComponent) }
    }
}

/// Distinguishes a photo of a shelf from a picture of one spine by its proportions.
package enum AspectRatioWarning {
    /// Returns a remark on a picture's file; nil for a possible single spine, and for a file that is not a picture.
    package static func remark(on bytes: [UInt8], name: String) -> String? {
        guard let header = try? ImageCodec.header(of: bytes, name: name),
            ShelfReader.isLikely(width: header.width, height: header.height)
        else { return nil }
        return
            "\(header.orientedWidth) × \(header.orientedHeight) is not the shape of a single spine: if the picture shows "
            + "a shelf, use 'spinebench shelf'"
    }
}
