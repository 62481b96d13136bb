import Foundation
import ImageCodec

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
        do {
            let picture = try ScaledPicture(image, in: root) { width, height in
                let scale = min(1, Double(maximumSide) / Double(max(width, height)))
                func scaled(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
                return (scaled(width), scaled(height))
            }
            // Lettering stays clear at this quality, at a third of the bytes of 95.
            jpeg = Data(try ImageCodec.encodeJPEG(picture.image, quality: 80))
            size = [picture.fullWidth, picture.fullHeight]
        } catch {
            fault = "\(error)"
        }
    }
}
