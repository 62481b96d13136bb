import CTurboJPEG
import Raster

/// Owns one TurboJPEG instance; not shared between threads.
final class TurboJPEGHandle {
    private let handle: tjhandle

    /// Nil when the library could not make the instance.
    init?(_ handle: tjhandle?) {
        guard let handle else { return nil }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// Decodes into `buffer`, rows without padding; gives nil, or why the picture is not whole.
    func decompress(
        _ bytes: UnsafeBufferPointer<UInt8>,
        structure: JPEGStructure,
        scaling: JPEGScaling,
        format: TJPF,
        into buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> String? {
        let count = UInt(bytes.count)
        var width: Int32 = 0
        var height: Int32 = 0
        var subsampling: Int32 = 0
        var colourSpace: Int32 = 0
        guard
            tjDecompressHeader3(handle, bytes.baseAddress, count, &width, &height, &subsampling, &colourSpace) == 0
        else { return message }
        guard Int(width) == structure.width, Int(height) == structure.height else {
            return "two frame headers, \(structure.width) × \(structure.height) and \(width) × \(height)"
        }
        let pitch = buffer.count / scaling.height
        let status = tjDecompress2(
            handle,
            bytes.baseAddress,
            count,
            buffer.baseAddress,
            Int32(scaling.width),
            Int32(pitch),
            Int32(scaling.height),
            format.rawValue,
            TJFLAG_LIMITSCANS
        )
        return status == 0 || isHarmless ? nil : message
    }

    /// Encodes into `buffer`, whose room is `size` before and what was used after; gives nil, or what went wrong.
    func compress(
        _ image: RasterImage,
        quality: Int,
        subsampling: TJSAMP,
        into buffer: UnsafeMutableBufferPointer<UInt8>,
        size: inout UInt
    ) -> String? {
        let format = image.channels == 1 ? TJPF_GRAY : TJPF_RGB
        var target = buffer.baseAddress
        let status = image.pixels.withUnsafeBufferPointer { pixels in
            tjCompress2(
                handle,
                pixels.baseAddress,
                Int32(image.width),
                0,
                Int32(image.height),
                format.rawValue,
                &target,
                &size,
                Int32(subsampling.rawValue),
                Int32(quality),
                TJFLAG_NOREALLOC
            )
        }
        return status == 0 ? nil : message
    }

    /// Whether the last call met nothing worse than padding.
    ///
    /// Some cameras pad the coded data. libjpeg keeps its first warning only, and between the last coded byte and the
    /// end-of-image marker (0xd9) nothing else can go wrong, so a picture with this first warning is whole.
    private var isHarmless: Bool {
        tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
            && message.hasSuffix("extraneous bytes before marker 0xd9")
    }

    /// Message of the library about its last failure or warning.
    private var message: String { String(cString: tjGetErrorStr2(handle)) }
}
