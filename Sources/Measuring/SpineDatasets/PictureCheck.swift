import Foundation
import ImageCodec
import Raster

/// Result of a look at a dataset's picture.
struct PictureCheck: Sendable {
    /// SHA-256 of the file; nil when it could not be read.
    var digest: String?
    /// In pixels, as the EXIF orientation turns it; nil when the file does not decode.
    var size: (width: Int, height: Int)?
    var fingerprint: PictureFingerprint?
    /// Whether the file says where the picture was taken.
    var hasLocation = false
    /// Why the picture cannot be used; nil when it can.
    var problem: String?

    /// Decodes the picture from its first to its last pixel.
    ///
    /// - Parameters:
    ///   - image: Its path inside the dataset.
    ///   - root: The dataset's folder, as `realPath` has it.
    init(_ image: String, in root: String) {
        let options = DecodingOptions()
        let bytes: [UInt8]
        do {
            // One byte more than is allowed is enough for the decoder to refuse it.
            bytes = try PictureFile.bytes(of: image, in: root, limit: options.maximumBytes + 1)
        } catch {
            problem = "\(error)"
            return
        }
        digest = SHA256.hex(of: bytes)
        do {
            let decoded = try ImageCodec.decode(bytes, name: image, options: options)
            size = (decoded.image.width, decoded.image.height)
            fingerprint = PictureFingerprint(decoded.image)
            hasLocation = (try? ImageCodec.containsLocation(bytes, name: image)) ?? false
        } catch {
            problem = "\(error)"
        }
    }
}
