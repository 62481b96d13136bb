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

    /// The picture in the file at `path`, its long side at most `maximumSide` pixels.
    ///
    /// `name` is what the fault calls the file.
    init(path: String, name: String, maximumSide: Int) {
        guard let data = FileManager.default.contents(atPath: path) else {
            fault = "\(name): the file cannot be read"
            return
        }
        do {
            let bytes = Array(data)
            let header = try ImageCodec.header(of: bytes, name: name)
            let (width, height) = (header.orientedWidth, header.orientedHeight)
            let scale = min(1, Double(maximumSide) / Double(max(width, height)))
            func scaled(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
            let options = DecodingOptions(minimumShortSide: min(scaled(width), scaled(height)))
            let image = try ImageCodec.decode(bytes, name: name, options: options).image
            let small = image.resized(width: scaled(width), height: scaled(height))
            // Lettering stays clear at this quality, at a third of the bytes of 95.
            jpeg = Data(try ImageCodec.encodeJPEG(small, quality: 80))
            size = [width, height]
        } catch {
            fault = "\(error)"
        }
    }
}
