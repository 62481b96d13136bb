import CTurboJPEG
import Raster

/// JPEG through libjpeg-turbo.
enum JPEGCodec {
    /// The most scans that a file may have.
    ///
    /// An encoder writes about ten; every further one costs a pass over the whole picture, however
    /// few bytes it has.
    static let maximumScans = 100

    static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        structure: JPEGStructure,
        minimumShortSide: Int?,
        name: String
    ) throws(ImageCodecError) -> (image: RasterImage, scale: Double) {
        guard structure.isComplete else {
            throw .truncated(name: name, format: .jpeg, detail: "it ends before its end-of-image marker")
        }
        guard structure.precision == 8, [1, 3, 4].contains(structure.components) else {
            throw .unsupported(
                name: name,
                format: .jpeg,
                detail: "a JPEG of \(structure.components) components of \(structure.precision) bits"
            )
        }
        guard structure.scans <= maximumScans else {
            throw .unsupported(
                name: name,
                format: .jpeg,
                detail: "a JPEG of \(structure.scans) scans, more than the \(maximumScans) allowed"
            )
        }
        guard let decompressor = TurboJPEGHandle(tjInitDecompress()) else {
            throw .notStarted(name: name, format: .jpeg)
        }
        guard structure.hasAllScans else {
            throw .truncated(name: name, format: .jpeg, detail: "some of its \(structure.scans) scans are missing")
        }
        let scaling = JPEGScaling(
            width: structure.width,
            height: structure.height,
            minimumShortSide: minimumShortSide
        )
        let count = scaling.width * scaling.height
        let samples = structure.components
        let format = samples == 1 ? TJPF_GRAY : samples == 3 ? TJPF_RGB : TJPF_CMYK
        var failure: String?
        let pixels = [UInt8](unsafeUninitializedCapacity: count * samples) { buffer, initializedCount in
            failure = decompressor.decompress(
                bytes,
                structure: structure,
                scaling: scaling,
                format: format,
                into: buffer
            )
            guard failure == nil else { return }
            if samples == 4 { flattenCMYK(buffer) }
            initializedCount = count * min(samples, 3)
        }
        if let failure { throw .corrupt(name: name, format: .jpeg, detail: failure) }
        let image = RasterImage(
            width: scaling.width,
            height: scaling.height,
            channels: min(samples, 3),
            pixels: pixels
        )
        return (image, scaling.scale)
    }

    static func encode(_ image: RasterImage, quality: Int) throws(ImageCodecError) -> [UInt8] {
        // JPEG_MAX_DIMENSION in libjpeg-turbo's jmorecfg.h.
        guard max(image.width, image.height) <= 65_500 else {
            throw .notEncoded(
                format: .jpeg,
                detail: "it is \(image.width) × \(image.height), a JPEG has at most 65500 a side"
            )
        }
        guard let compressor = TurboJPEGHandle(tjInitCompress()) else {
            throw .notEncoded(format: .jpeg, detail: "libjpeg-turbo could not start")
        }
        var failure: String?
        // Colour at full resolution where the caller asks for high quality: red lettering suffers first.
        let subsampling = image.channels == 1 ? TJSAMP_GRAY : quality >= 90 ? TJSAMP_444 : TJSAMP_420
        let capacity = Int(tjBufSize(Int32(image.width), Int32(image.height), Int32(subsampling.rawValue)))
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initializedCount in
            var size = UInt(capacity)
            failure = compressor.compress(
                image,
                quality: min(max(quality, 1), 100),
                subsampling: subsampling,
                into: buffer,
                size: &size
            )
            initializedCount = failure == nil ? Int(size) : 0
        }
        if let failure { throw .notEncoded(format: .jpeg, detail: failure) }
        return bytes
    }

    /// Turns CMYK into RGB in place.
    ///
    /// JPEG files hold their inks inverted (255 is none), as Adobe began and as Pillow,
    /// OpenCV and the browsers assume of every CMYK file, so each channel is ink × black / 255.
    private static func flattenCMYK(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        var target = 0
        for source in stride(from: 0, to: buffer.count, by: 4) {
            let black = Int(buffer[source + 3])
            for channel in 0..<3 {
                buffer[target + channel] = UInt8((Int(buffer[source + channel]) * black + 127) / 255)
            }
            target += 3
        }
    }
}
