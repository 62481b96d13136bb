import Foundation
import ImageCodec
import Raster

/// What a look at a dataset's picture brought.
struct PictureCheck: Sendable {
    /// SHA-256 of the file; nil when it could not be read.
    var digest: String?
    /// In pixels, as the EXIF orientation turns it; nil when the file does not decode.
    var size: (width: Int, height: Int)?
    var fingerprint: PictureFingerprint?
    /// Why the picture cannot be used; nil when it can.
    var problem: String?

    /// Decodes the picture from its first to its last pixel.
    ///
    /// - Parameters:
    ///   - image: Its path inside the dataset.
    ///   - root: The dataset's folder, as `realPath` has it.
    init(_ image: String, in root: String) {
        let path = URL(filePath: "\(root)/\(image)").resolvingSymlinksInPath().path
        guard path.hasPrefix(root == "/" ? root : root + "/") else {
            problem = "\"\(image)\" is a link out of the dataset; expected a file below its folder"
            return
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            let handle = FileHandle(forReadingAtPath: path)
        else {
            problem = "\"\(image)\" cannot be read"
            return
        }
        let options = DecodingOptions()
        // One byte more than is allowed is enough for the decoder to refuse it.
        guard let data = try? handle.read(upToCount: options.maximumBytes + 1) else {
            problem = "\"\(image)\" cannot be read"
            return
        }
        let bytes = [UInt8](data)
        digest = SHA256.hex(of: bytes)
        do {
            let decoded = try ImageCodec.decode(bytes, name: image, options: options)
            size = (decoded.image.width, decoded.image.height)
            fingerprint = PictureFingerprint(decoded.image)
        } catch {
            problem = "\(error)"
        }
    }
}
