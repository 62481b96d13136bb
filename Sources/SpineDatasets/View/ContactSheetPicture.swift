import Foundation
import ImageCodec
import Raster

/// A picture of a dataset as a contact sheet shows it, or why it cannot.
struct ContactSheetPicture: Sendable {
    /// Width and height of the full-size picture, in pixels, the right way up.
    var size: [Int]?
    /// The picture as a JPEG file, scaled down.
    var jpeg: Data?
    /// Why there is no picture.
    var fault: String?

    /// The picture of the dataset in the folder `root`, its long side at most `maximumSide` pixels.
    init(_ image: String, in root: String, maximumSide: Int) {
        var options = DecodingOptions()
        do {
            let bytes = try PictureFile.bytes(of: image, in: root, limit: options.maximumBytes + 1)
            let header = try ImageCodec.header(of: bytes, name: image)
            let (width, height) = (header.orientedWidth, header.orientedHeight)
            let scale = min(1, Double(maximumSide) / Double(max(width, height)))
            func scaled(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
            options.minimumShortSide = min(scaled(width), scaled(height))
            let decoded = try ImageCodec.decode(bytes, name: image, options: options).image
            let small = decoded.resized(width: scaled(width), height: scaled(height))
            // Lettering stays clear at this quality, at a third of the bytes of 95.
            jpeg = Data(try ImageCodec.encodeJPEG(small, quality: 80))
            size = [width, height]
        } catch {
            fault = "\(error)"
        }
    }
}
