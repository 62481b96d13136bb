#if canImport(Vision)
internal import CoreGraphics
internal import Foundation
internal import Imaging

extension RasterImage {
    /// Returns the image as Core Graphics has it, grey or sRGB; nil when Core Graphics does not take it.
    func cgImage() -> CGImage? {
        guard let space = CGColorSpace(name: channels == 1 ? CGColorSpace.genericGrayGamma2_2 : CGColorSpace.sRGB),
            let provider = CGDataProvider(data: Data(pixels) as CFData)
        else { return nil }
        return CGImage(
            width: width,
            height: height,
            bitsPerComponent: 8,
            bitsPerPixel: 8 * channels,
            bytesPerRow: width * channels,
            space: space,
            bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.none.rawValue),
            provider: provider,
            decode: nil,
            shouldInterpolate: false,
            intent: .defaultIntent
        )
    }
}
#endif
