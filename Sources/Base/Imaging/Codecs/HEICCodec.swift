#if !os(iOS)
import CHEIF

/// Picture of a HEIC file that libheif has opened; not shared between threads.
final class HEICPicture {
    private let context: OpaquePointer
    private let handle: OpaquePointer

    /// Checks the boxes of `bytes` against the limit, and reads them with libheif.
    ///
    /// libheif keeps reading from the bytes, which must outlive the picture.
    init(_ bytes: UnsafeBufferPointer<UInt8>, maximumPixels: Int) throws(ImageFault) {
        var structure = try HEICStructure(bytes)
        try structure.checkPicture()
        let (largestWidth, largestHeight) = structure.largest
        guard largestWidth * largestHeight <= maximumPixels else {
            throw .tooManyPixels(width: largestWidth, height: largestHeight, limit: maximumPixels)
        }
        guard let context = heif_context_alloc() else { throw .notStarted(.heic) }
        var handle: OpaquePointer?
        do throws(ImageFault) {
            let (start, count) = (bytes.baseAddress, structure.wholeCount)
            try check("opening the file", heif_context_read_from_memory_without_copy(context, start, count, nil))
            try check("finding the picture", heif_context_get_primary_image_handle(context, &handle))
        } catch {
            heif_context_free(context)
            throw error
        }
        guard let handle else {
            heif_context_free(context)
            throw .notStarted(.heic)
        }
        (self.context, self.handle) = (context, handle)
        // The stated crop may be larger than the picture, or smaller than a pixel.
        guard width > 0, height > 0, width * height <= largestWidth * largestHeight else {
            throw .corrupt(.heic, "\(width) × \(height) pixels cut out of \(largestWidth) × \(largestHeight)")
        }
    }

    deinit {
        heif_image_handle_release(handle)
        heif_context_free(context)
    }

    /// Pixels in a row, after the file's own cropping and turning.
    var width: Int { Int(heif_image_handle_get_width(handle)) }
    /// Rows, after the file's own cropping and turning.
    var height: Int { Int(heif_image_handle_get_height(handle)) }

    /// Returns the picture as 8-bit RGB, with the file's crop and rotation.
    func decode() throws(ImageFault) -> RasterImage {
        let withoutPixels = ImageFault.corrupt(.heic, "libheif gave no pixels")
        guard let options = heif_decoding_options_alloc() else { throw withoutPixels }
        defer { heif_decoding_options_free(options) }
        options.pointee.convert_hdr_to_8bit = 1
        options.pointee.strict_decoding = 1
        var decoded: OpaquePointer?
        let status = heif_decode_image(handle, &decoded, heif_colorspace_RGB, heif_chroma_interleaved_RGB, options)
        defer { heif_image_release(decoded) }
        try check("decoding the picture", status)
        var stride: Int32 = 0
        guard let decoded, let plane = heif_image_get_plane_readonly(decoded, heif_channel_interleaved, &stride) else {
            throw withoutPixels
        }
        let decodedWidth = Int(heif_image_get_width(decoded, heif_channel_interleaved))
        let decodedHeight = Int(heif_image_get_height(decoded, heif_channel_interleaved))
        guard decodedWidth == width, decodedHeight == height else {
            throw .corrupt(.heic, "\(width) × \(height) stated, \(decodedWidth) × \(decodedHeight) decoded")
        }
        let row = width * 3
        guard Int(stride) >= row else { throw withoutPixels }
        let pixels = [UInt8](unsafeUninitializedCapacity: row * height) { buffer, initializedCount in
            for y in 0..<height {
                let source = UnsafeBufferPointer(start: plane + y * Int(stride), count: row)
                _ = UnsafeMutableBufferPointer(rebasing: buffer[y * row..<(y + 1) * row]).update(from: source)
            }
            initializedCount = row * height
        }
        return RasterImage(width: width, height: height, channels: 3, pixels: pixels)
    }
}

/// Throws libheif's error about a file, in its own words, unless it succeeded.
private func check(_ operation: String, _ error: heif_error) throws(ImageFault) {
    let code = error.code
    guard code != heif_error_Ok else { return }
    if code == heif_error_Memory_allocation_error, error.subcode != heif_suberror_Security_limit_exceeded {
        throw .notStarted(.heic)
    }
    // The words are libheif's to free.
    let message = error.message.map { String(cString: $0) } ?? "no message"
    let detail = "libheif, \(operation): error \(code.rawValue).\(error.subcode.rawValue), \(message)"
    // This build of libheif may lack a required feature.
    let isUnsupported = code == heif_error_Unsupported_feature || code == heif_error_Unsupported_filetype
    throw isUnsupported ? .unsupported(.heic, detail) : .corrupt(.heic, detail)
}
#endif
