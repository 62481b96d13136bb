#if !os(iOS)
import CTurboJPEG

enum JPEGCodec {
    static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        structure: JPEGStructure,
        minimumShortSide: Int?
    ) throws(ImageFault) -> (image: RasterImage, scale: Double) {
        guard let decompressor = tjInitDecompress() else { throw .notStarted(.jpeg) }
        defer { tjDestroy(decompressor) }
        let size = UInt(bytes.count)
        var (width, height, subsampling, colours): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard tjDecompressHeader3(decompressor, bytes.baseAddress, size, &width, &height, &subsampling, &colours) == 0
        else { throw .corrupt(.jpeg, message(of: decompressor)) }
        guard Int(width) == structure.width, Int(height) == structure.height else {
            let stated = "\(structure.width) × \(structure.height)"
            throw .corrupt(.jpeg, "two frame headers, \(stated) and \(width) × \(height)")
        }
        let scaling = JPEGScaling(structure, minimumShortSide: minimumShortSide)
        let count = scaling.width * scaling.height
        let samples = structure.components
        let format = samples == 1 ? TJPF_GRAY : samples == 3 ? TJPF_RGB : TJPF_CMYK
        var isWhole = false
        let pixels = [UInt8](unsafeUninitializedCapacity: count * samples) { buffer, initializedCount in
            let status = tjDecompress2(
                decompressor,
                bytes.baseAddress,
                size,
                buffer.baseAddress,
                Int32(scaling.width),
                Int32(scaling.width * samples),
                Int32(scaling.height),
                format.rawValue,
                TJFLAG_LIMITSCANS
            )
            isWhole = status == 0 || metOnlyPadding(decompressor)
            guard isWhole else { return }
            if samples == 4 { flattenCMYK(buffer) }
            initializedCount = count * min(samples, 3)
        }
        guard isWhole else { throw .corrupt(.jpeg, message(of: decompressor)) }
        let channels = min(samples, 3)
        let image = RasterImage(width: scaling.width, height: scaling.height, channels: channels, pixels: pixels)
        return (image, scaling.scale)
    }

    static func encode(_ image: RasterImage, quality: Int) throws(ImageFault) -> [UInt8] {
        // JPEG_MAX_DIMENSION in libjpeg-turbo's jmorecfg.h.
        guard max(image.width, image.height) <= 65_500 else {
            throw .notEncoded(.jpeg, "it is \(image.width) × \(image.height), a JPEG has at most 65500 a side")
        }
        guard let compressor = tjInitCompress() else { throw .notEncoded(.jpeg, "libjpeg-turbo could not start") }
        defer { tjDestroy(compressor) }
        // Colour at full resolution where the caller asks for high quality: red lettering suffers first.
        let subsampling = image.channels == 1 ? TJSAMP_GRAY : quality >= 90 ? TJSAMP_444 : TJSAMP_420
        let format = image.channels == 1 ? TJPF_GRAY : TJPF_RGB
        var size = UInt(tjBufSize(Int32(image.width), Int32(image.height), Int32(subsampling.rawValue)))
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, initializedCount in
            var target = buffer.baseAddress
            let status = image.pixels.withUnsafeBufferPointer { pixels in
                tjCompress2(
                    compressor,
                    pixels.baseAddress,
                    Int32(image.width),
                    0,
                    Int32(image.height),
                    format.rawValue,
                    &target,
                    &size,
                    Int32(subsampling.rawValue),
                    Int32(min(max(quality, 1), 100)),
                    TJFLAG_NOREALLOC
                )
            }
            isWhole = status == 0
            initializedCount = isWhole ? Int(size) : 0
        }
        guard isWhole else { throw .notEncoded(.jpeg, message(of: compressor)) }
        return bytes
    }

    /// Returns true when the last call had no worse fault than padding.
    ///
    /// Some cameras pad the coded data. libjpeg keeps its first warning only, and between the last coded byte and the
    /// end-of-image marker (0xd9) nothing else can be wrong, so a picture with this first warning is whole.
    private static func metOnlyPadding(_ handle: tjhandle) -> Bool {
        tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
            && message(of: handle).hasSuffix("extraneous bytes before marker 0xd9")
    }

    /// Words of the library about its last failure or warning.
    private static func message(of handle: tjhandle) -> String { String(cString: tjGetErrorStr2(handle)) }

    /// Turns CMYK into RGB in place.
    ///
    /// JPEG files hold their inks inverted (255 is none), as Adobe began and as Pillow, OpenCV and the browsers
    /// assume of every CMYK file, so each channel is ink × black / 255.
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

/// The size at which a JPEG is decoded.
struct JPEGScaling: Equatable {
    var width: Int
    var height: Int
    /// Decoded pixels per stored pixel: 1/8, 1/4, 3/8, 1/2 or 1; of a picture of a few pixels, any eighth.
    var scale: Double

    /// Selects the smallest scale whose short side has `minimumShortSide` pixels.
    ///
    /// The scales between 1/2 and 1 are excluded: libjpeg-turbo 2.1 has no vector code for them, so they take as long
    /// as the full size, or longer.
    init(_ structure: JPEGStructure, minimumShortSide: Int?) {
        (width, height, scale) = (structure.width, structure.height, 1)
        guard let minimumShortSide else { return }
        // The eighths are the scales of the DCT; TJSCALED in turbojpeg.h rounds up.
        func scaled(_ length: Int, _ eighths: Int) -> Int { (length * eighths + 7) / 8 }
        let shortSide = min(width, height)
        guard let eighths = [1, 2, 3, 4, 8].first(where: { scaled(shortSide, $0) >= minimumShortSide }) else { return }
        let (fullWidth, fullHeight) = (width, height)
        (width, height) = (scaled(width, eighths), scaled(height, eighths))
        // The library takes the largest scale that fits the size it is given, which differs for very small pictures.
        let taken = (eighths...8).last { [width, height] == [scaled(fullWidth, $0), scaled(fullHeight, $0)] }
        scale = Double(taken ?? eighths) / 8
    }
}
#endif
