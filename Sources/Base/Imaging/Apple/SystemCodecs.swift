#if os(iOS)
import CoreGraphics
import Foundation
import ImageIO

// ImageIO in the place of the C libraries of other systems: the same types, and the same limits before a picture is decoded.

enum PNGCodec {
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>, structure: PNGStructure) throws(ImageFault) -> RasterImage {
        let image = try SystemPicture(bytes, .png).image()
        return try image.raster(channels: structure.isColour ? 3 : 1, .png)
    }

    /// Rows of pixels of 1 (grey), 3 (RGB) or 4 channels (RGB, alpha) as a PNG file.
    static func encode(_ pixels: [UInt8], width: Int, height: Int, channels: Int) throws(ImageFault) -> [UInt8] {
        try SystemPicture.file(.png, pixels, width: width, height: height, channels: channels)
    }
}

enum JPEGCodec {
    static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        structure: JPEGStructure,
        minimumShortSide: Int?
    ) throws(ImageFault) -> (image: RasterImage, scale: Double) {
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

enum HEICCodec {
    /// Reads a file with its crop and rotation.
    static func read(_ bytes: [UInt8], _ options: DecodingOptions, isHeaderOnly: Bool) throws(ImageFault) -> HEICPicture
    {
        let file = try SystemPicture(bytes, .heic)
        // Not decoded before it is drawn.
        let stored = try file.image()
        guard stored.width * stored.height <= options.maximumPixels else {
            throw .tooManyPixels(width: stored.width, height: stored.height, limit: options.maximumPixels)
        }
        let picture = try file.upright(longSide: max(stored.width, stored.height))
        return (picture.width, picture.height, isHeaderOnly ? [] : try picture.raster(channels: 3, .heic).pixels)
    }
}

/// A file that ImageIO reads.
private struct SystemPicture {
    private let source: CGImageSource
    private let format: ImageFormat

    init(_ bytes: some Sequence<UInt8>, _ format: ImageFormat) throws(ImageFault) {
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
