/// Picture of a HEIC file, the right way up: RGB row by row, or no pixels where the size is enough.
package typealias HEICPicture = (width: Int, height: Int, pixels: [UInt8])

#if !os(iOS)
import CHEIF

/// Reads HEIC files with libheif, which a damaged file can make end the process.
package enum HEICCodec {
    /// Reads a file in this process, with the file's crop and rotation.
    package static func read(
        _ bytes: [UInt8],
        _ options: DecodingOptions,
        isHeaderOnly: Bool
    ) throws(ImageFault) -> HEICPicture {
        if let problem = SystemLibrary.heif.problem { throw .missing(problem) }
        guard let context = heif_context_alloc() else { throw .notStarted(.heic) }
        defer { heif_context_free(context) }
        let opened = heif_context_read_from_memory(context, bytes, bytes.count, nil)
        if opened.subcode == heif_suberror_No_meta_box, bytes.withUnsafeBufferPointer({ $0.holds("moov") }) {
            throw .unsupported(.heic, "a sequence of pictures")
        }
        try check("opening the file", opened)
        var primary: OpaquePointer?
        defer { heif_image_handle_release(primary) }
        try check("finding the picture", heif_context_get_primary_image_handle(context, &primary))
        guard let primary else { throw .notStarted(.heic) }
        let width = Int(heif_image_handle_get_width(primary))
        let height = Int(heif_image_handle_get_height(primary))
        guard width > 0, height > 0 else { throw .corrupt(.heic, "its size is \(width) × \(height)") }
        guard width * height <= options.maximumPixels else {
            throw .tooManyPixels(width: width, height: height, limit: options.maximumPixels)
        }
        guard heif_image_handle_has_alpha_channel(primary) == 0 else {
            throw .unsupported(.heic, "a picture with transparency")
        }
        if isHeaderOnly { return (width, height, []) }
        try checkEnd(of: bytes, primary)
        return (width, height, try pixels(of: primary, width: width, height: height))
    }

    /// Checks that the file does not end in zeros, as an interrupted copy does, unless they belong to its metadata.
    ///
    /// libde265 invents the missing values, and libheif hides its warnings.
    private static func checkEnd(of bytes: [UInt8], _ primary: OpaquePointer) throws(ImageFault) {
        let zeros = bytes.reversed().prefix { $0 == 0 }.count
        // Encoders end a picture with fewer.
        guard zeros > 3 else { return }
        let count = heif_image_handle_get_number_of_metadata_blocks(primary, nil)
        var items = [heif_item_id](repeating: 0, count: Int(count))
        heif_image_handle_get_list_of_metadata_block_IDs(primary, nil, &items, count)
        for item in items {
            var block = [UInt8](repeating: 0, count: heif_image_handle_get_metadata_size(primary, item))
            let status = heif_image_handle_get_metadata(primary, item, &block)
            if status.code == heif_error_Ok, block.count > zeros, bytes.suffix(block.count) == block[...] { return }
        }
        throw .corrupt(.heic, "its last \(zeros) bytes are zeros")
    }

    private static func pixels(of primary: OpaquePointer, width: Int, height: Int) throws(ImageFault) -> [UInt8] {
        let withoutPixels = ImageFault.corrupt(.heic, "libheif gave no pixels")
        guard let options = heif_decoding_options_alloc() else { throw withoutPixels }
        defer { heif_decoding_options_free(options) }
        options.pointee.convert_hdr_to_8bit = 1
        options.pointee.strict_decoding = 1
        var image: OpaquePointer?
        let status = heif_decode_image(primary, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGB, options)
        defer { heif_image_release(image) }
        try check("decoding the picture", status)
        var stride: Int32 = 0
        guard let image, let plane = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride) else {
            throw withoutPixels
        }
        let decodedWidth = Int(heif_image_get_width(image, heif_channel_interleaved))
        let decodedHeight = Int(heif_image_get_height(image, heif_channel_interleaved))
        guard decodedWidth == width, decodedHeight == height else {
            throw .corrupt(.heic, "\(width) × \(height) stated, \(decodedWidth) × \(decodedHeight) decoded")
        }
        let row = width * 3
        guard Int(stride) >= row else { throw withoutPixels }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(row * height)
        for y in 0..<height { pixels += UnsafeBufferPointer(start: plane + y * Int(stride), count: row) }
        return pixels
    }

    /// Throws libheif's error about a file, in its own words, unless it succeeded.
    private static func check(_ operation: String, _ error: heif_error) throws(ImageFault) {
        let code = error.code
        guard code != heif_error_Ok else { return }
        // The words are libheif's to free.
        let message = error.message.map { String(cString: $0) } ?? "no message"
        let detail = "libheif, \(operation): error \(code.rawValue).\(error.subcode.rawValue), \(message)"
        switch error.subcode {
        case heif_suberror_Security_limit_exceeded: throw .unsupported(.heic, detail)
        case heif_suberror_End_of_data, heif_suberror_No_ftyp_box, heif_suberror_No_meta_box:
            throw .truncated(.heic, detail)
        default: break
        }
        switch code {
        case heif_error_Memory_allocation_error: throw .notStarted(.heic)
        // This build of libheif may lack a required feature.
        case heif_error_Unsupported_feature, heif_error_Unsupported_filetype: throw .unsupported(.heic, detail)
        default: throw .corrupt(.heic, detail)
        }
    }
}
#endif
