#if os(iOS)
import CoreGraphics
import Foundation
import ImageIO

// ImageIO in the place of the C libraries of other systems: the same types, and the same limits before a picture is decoded.

enum PNGCodec {
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>, structure: PNGStructure) throws(ImageFault) -> RasterImage {
        guard structure.isComplete else { throw .truncated(.png, "it ends before its IEND chunk") }
        let image = try SystemPicture(bytes, .png).image()
        return try image.raster(channels: structure.isColour ? 3 : 1, .png)
    }

    static func encode(_ image: RasterImage) throws(ImageFault) -> [UInt8] {
        try encode(image.pixels, width: image.width, height: image.height, channels: image.channels)
    }

    /// Rows of pixels of 1 (grey), 3 (RGB) or 4 channels (RGB, alpha) as a PNG file.
    static func encode(_ pixels: [UInt8], width: Int, height: Int, channels: Int) throws(ImageFault) -> [UInt8] {
        try SystemPicture.file(.png, pixels, width: width, height: height, channels: channels)
    }
}

enum JPEGCodec {
    /// Maximum number of scans of a file.
    static let maximumScans = 100

    static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        structure: JPEGStructure,
        minimumShortSide: Int?
    ) throws(ImageFault) -> (image: RasterImage, scale: Double) {
        guard structure.isComplete else { throw .truncated(.jpeg, "it ends before its end-of-image marker") }
        guard structure.scans <= maximumScans else {
            throw .unsupported(.jpeg, "a JPEG of \(structure.scans) scans, more than the \(maximumScans) allowed")
        }
        let shortSide = min(structure.width, structure.height)
        let factor = minimumShortSide.flatMap { least in [8, 4, 2].first { shortSide / $0 >= least } } ?? 1
        let image = try SystemPicture(bytes, .jpeg).image([kCGImageSourceSubsampleFactor: factor])
        let raster = try image.raster(channels: structure.components == 1 ? 1 : 3, .jpeg)
        return (raster, Double(raster.width) / Double(structure.width))
    }

    static func encode(_ image: RasterImage, quality: Int) throws(ImageFault) -> [UInt8] {
        try SystemPicture.file(
            .jpeg,
            image.pixels,
            width: image.width,
            height: image.height,
            channels: image.channels,
            quality: Double(min(max(quality, 1), 100)) / 100
        )
    }
}

/// Picture of a HEIC file; not shared between threads.
final class HEICPicture {
    private let picture: CGImage

    /// Checks the boxes of `bytes` against the limit, and decodes them.
    init(_ bytes: UnsafeBufferPointer<UInt8>, maximumPixels: Int) throws(ImageFault) {
        var structure = try HEICStructure(bytes)
        try structure.checkPicture()
        let (width, height) = structure.largest
        guard width * height <= maximumPixels else {
            throw .tooManyPixels(width: width, height: height, limit: maximumPixels)
        }
        picture = try SystemPicture(bytes, .heic).upright(longSide: max(width, height))
    }

    /// Pixels in a row, after the file's own cropping and turning.
    var width: Int { picture.width }
    /// Rows, after the file's own cropping and turning.
    var height: Int { picture.height }

    /// Returns the picture as 8-bit RGB, with the file's crop and rotation.
    func decode() throws(ImageFault) -> RasterImage { try picture.raster(channels: 3, .heic) }
}

/// A file that ImageIO reads.
private struct SystemPicture {
    private let source: CGImageSource
    private let format: ImageFormat

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ format: ImageFormat) throws(ImageFault) {
        guard let source = CGImageSourceCreateWithData(Data(bytes) as CFData, nil) else { throw .notStarted(format) }
        (self.source, self.format) = (source, format)
    }

    /// Returns the picture as it is stored.
    func image(_ options: [CFString: Any] = [:]) throws(ImageFault) -> CGImage {
        try checked(CGImageSourceCreateImageAtIndex(source, 0, options as CFDictionary))
    }

    /// Returns the picture turned as its file says, no larger than it is stored.
    func upright(longSide: Int) throws(ImageFault) -> CGImage {
        let options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceThumbnailMaxPixelSize: longSide,
        ]
        return try checked(CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary))
    }

    private func checked(_ image: CGImage?) throws(ImageFault) -> CGImage {
        let status = CGImageSourceGetStatusAtIndex(source, 0)
        guard let image, status == .statusComplete else {
            throw .corrupt(format, "ImageIO gave no whole picture: status \(status.rawValue)")
        }
        return image
    }

    /// Returns rows of pixels as a file.
    static func file(
        _ format: ImageFormat,
        _ pixels: [UInt8],
        width: Int,
        height: Int,
        channels: Int,
        quality: Double = 1
    ) throws(ImageFault) -> [UInt8] {
        let output = NSMutableData()
        let alpha = channels == 4 ? CGImageAlphaInfo.last : .none
        guard let space = CGColorSpace(name: channels == 1 ? CGColorSpace.genericGrayGamma2_2 : CGColorSpace.sRGB),
            let provider = CGDataProvider(data: Data(pixels) as CFData),
            let image = CGImage(
                width: width,
                height: height,
                bitsPerComponent: 8,
                bitsPerPixel: 8 * channels,
                bytesPerRow: width * channels,
                space: space,
                bitmapInfo: CGBitmapInfo(rawValue: alpha.rawValue),
                provider: provider,
                decode: nil,
                shouldInterpolate: false,
                intent: .defaultIntent
            ),
            let target = CGImageDestinationCreateWithData(output, "public.\(format.rawValue)" as CFString, 1, nil)
        else { throw .notEncoded(format, "ImageIO takes no picture of \(width) × \(height) pixels") }
        let options: [CFString: Any] = [kCGImageDestinationLossyCompressionQuality: quality]
        CGImageDestinationAddImage(target, image, options as CFDictionary)
        guard CGImageDestinationFinalize(target) else { throw .notEncoded(format, "ImageIO could not finish the file") }
        return [UInt8](Data(referencing: output))
    }
}

extension CGImage {
    /// Returns the pixels, grey or RGB, as they are stored; what is transparent is on white.
    fileprivate func raster(channels: Int, _ format: ImageFormat) throws(ImageFault) -> RasterImage {
        let isGrey = channels == 1
        let samples = isGrey ? 1 : 4
        // The picture's own space, where a context takes it: the stored values stay.
        let own = colorSpace.flatMap { $0.model == (isGrey ? .monochrome : .rgb) && $0.supportsOutput ? $0 : nil }
        guard let space = own ?? CGColorSpace(name: isGrey ? CGColorSpace.genericGrayGamma2_2 : CGColorSpace.sRGB)
        else {
            throw .notStarted(format)
        }
        var drawn = [UInt8](repeating: 255, count: width * height * samples)
        let isDrawn = drawn.withUnsafeMutableBytes { buffer in
            let context = CGContext(
                data: buffer.baseAddress,
                width: width,
                height: height,
                bitsPerComponent: 8,
                bytesPerRow: width * samples,
                space: space,
                bitmapInfo: (isGrey ? CGImageAlphaInfo.none : .noneSkipLast).rawValue
            )
            context?.draw(self, in: CGRect(x: 0, y: 0, width: width, height: height))
            return context != nil
        }
        guard isDrawn else { throw .unsupported(format, "a picture that Core Graphics does not draw") }
        if isGrey { return RasterImage(width: width, height: height, channels: 1, pixels: drawn) }
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 3) { buffer, count in
            for pixel in 0..<width * height {
                for channel in 0..<3 { buffer[3 * pixel + channel] = drawn[4 * pixel + channel] }
            }
            count = width * height * 3
        }
        return RasterImage(width: width, height: height, channels: 3, pixels: pixels)
    }
}
#endif
