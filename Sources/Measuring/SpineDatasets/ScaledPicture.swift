import Foundation
import ImageCodec
package import Raster

/// A picture of a dataset, scaled down.
package struct ScaledPicture: Sendable {
    package var image: RasterImage
    /// Of the full-size picture, the right way up.
    package var fullWidth: Int
    package var fullHeight: Int

    /// The picture of the dataset in the folder `root`, which has no links in its path.
    ///
    /// - Parameters:
    ///   - image: Its path inside the dataset.
    ///   - root: The dataset's folder, without links.
    ///   - size: The width and the height to scale to, by those of the full-size picture.
    /// - Throws: A value whose description goes on after "image" when the file cannot be read or is no picture.
    package init(
        _ image: String,
        in root: String,
        size: (_ width: Int, _ height: Int) -> (width: Int, height: Int)
    ) throws {
        var options = DecodingOptions()
        let bytes = try PictureFile.bytes(of: image, in: root, limit: options.maximumBytes + 1)
        let header = try ImageCodec.header(of: bytes, name: image)
        (fullWidth, fullHeight) = (header.orientedWidth, header.orientedHeight)
        let small = size(fullWidth, fullHeight)
        options.minimumShortSide = min(small.width, small.height)
        let decoded = try ImageCodec.decode(bytes, name: image, options: options).image
        self.image = decoded.resized(width: small.width, height: small.height)
    }
}
