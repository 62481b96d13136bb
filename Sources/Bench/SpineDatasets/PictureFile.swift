import Basics
import Foundation
package import Imaging

package struct PictureCheck: Sendable {
    /// SHA-256 of the file; nil when it could not be read.
    package var digest: String?
    /// Size in pixels, after rotation by the EXIF orientation; nil when the file does not decode.
    var size: (width: Int, height: Int)?
    package var fingerprint: PictureFingerprint?
    var traits: PictureTraits?
    /// Whether the file contains the location of the picture.
    var hasLocation = false
    /// Reason why the picture cannot be used; nil for a usable one.
    var problem: String?

    package init(_ image: String, in store: PictureStore) {
        let options = DecodingOptions()
        let bytes: [UInt8]
        do {
            // One byte more than is allowed is enough for the decoder to refuse it.
            bytes = try store.bytes(of: image, limit: options.maximumBytes + 1)
        } catch {
            problem = "\(error)"
            return
        }
        digest = SHA256.hex(of: bytes)
        do {
            let decoded = try ImageCodec.decode(bytes, name: image, options: options)
            size = (decoded.image.width, decoded.image.height)
            (fingerprint, traits) = (PictureFingerprint(decoded.image), PictureTraits(decoded.image))
            hasLocation = (try? ImageCodec.containsLocation(bytes, name: image)) ?? false
        } catch {
            problem = "\(error)"
        }
    }
}

package struct ScaledPicture: Sendable {
    package var image: RasterImage
    /// Width of the full-size picture, the right way up.
    package var fullWidth: Int
    package var fullHeight: Int

    /// Creates a picture of the size that `size` returns for the full one's.
    ///
    /// - Throws: An error whose description continues after "image" when the file cannot be read or is not a picture.
    package init(
        _ image: String,
        in store: PictureStore,
        size: (_ width: Int, _ height: Int) -> (width: Int, height: Int)
    ) throws {
        var options = DecodingOptions()
        let bytes = try store.bytes(of: image, limit: options.maximumBytes + 1)
        let header = try ImageCodec.header(of: bytes, name: image)
        (fullWidth, fullHeight) = (header.orientedWidth, header.orientedHeight)
        let small = size(fullWidth, fullHeight)
        options.minimumShortSide = min(small.width, small.height)
        let decoded = try ImageCodec.decode(bytes, name: image, options: options).image
        self.image = decoded.resized(width: small.width, height: small.height)
    }
}
