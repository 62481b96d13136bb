import CHEIF
import Raster

/// HEIC through libheif.
enum HEICCodec {
    /// Checks the boxes of a file against the limit, and has libheif read them.
    static func open(
        _ bytes: UnsafeBufferPointer<UInt8>,
        name: String,
        maximumPixels: Int
    ) throws(ImageCodecError) -> HEIFHandle {
        var structure = try HEICStructure(bytes, name: name)
        try structure.checkPicture()
        let (width, height) = structure.largest
        guard width * height <= maximumPixels else {
            throw .tooManyPixels(name: name, width: width, height: height, limit: maximumPixels)
        }
        let handle: HEIFHandle?
        do throws(HEIFHandle.Failure) {
            handle = try HEIFHandle(bytes.part(0..<structure.wholeCount))
        } catch {
            throw translated(error, name: name)
        }
        guard let handle else { throw .notStarted(name: name, format: .heic) }
        // What is cut out of the picture may be stated larger than the picture, or smaller than a pixel.
        guard handle.width > 0, handle.height > 0, handle.width * handle.height <= width * height else {
            throw .corrupt(
                name: name,
                format: .heic,
                detail: "\(handle.width) × \(handle.height) pixels cut out of \(width) × \(height)"
            )
        }
        return handle
    }

    static func decode(_ handle: HEIFHandle, name: String) throws(ImageCodecError) -> RasterImage {
        let image: RasterImage?
        do throws(HEIFHandle.Failure) {
            image = try handle.decode()
        } catch {
            throw translated(error, name: name)
        }
        guard let image else { throw .corrupt(name: name, format: .heic, detail: "libheif gave no pixels") }
        guard image.width == handle.width, image.height == handle.height else {
            throw .corrupt(
                name: name,
                format: .heic,
                detail: "\(handle.width) × \(handle.height) stated, \(image.width) × \(image.height) decoded"
            )
        }
        return image
    }

    private static func translated(_ failure: HEIFHandle.Failure, name: String) -> ImageCodecError {
        let detail =
            "libheif, \(failure.operation): error \(failure.code).\(failure.subcode), \(failure.message)"
        if failure.isOutOfMemory { return .notStarted(name: name, format: .heic) }
        return failure.isUnsupported
            ? .unsupported(name: name, format: .heic, detail: detail)
            : .corrupt(name: name, format: .heic, detail: detail)
    }
}

/// Owns one file opened by libheif, and the handle of its picture; not shared between threads.
final class HEIFHandle {
    private let context: OpaquePointer
    private let handle: OpaquePointer

    /// Failure of libheif in its own words.
    struct Failure: Error {
        var operation: String
        var code: UInt32
        var subcode: UInt32
        var message: String

        /// Nil when `error` is none; its words are copied, since they are libheif's to free.
        fileprivate init?(_ operation: String, _ error: heif_error) {
            guard error.code != heif_error_Ok else { return nil }
            self.operation = operation
            code = error.code.rawValue
            subcode = error.subcode.rawValue
            message = error.message.map { String(cString: $0) } ?? "no message"
        }

        /// The file asks for something that this build of libheif cannot do.
        var isUnsupported: Bool {
            code == heif_error_Unsupported_feature.rawValue || code == heif_error_Unsupported_filetype.rawValue
        }
        /// There was not enough memory.
        var isOutOfMemory: Bool {
            code == heif_error_Memory_allocation_error.rawValue
                && subcode != heif_suberror_Security_limit_exceeded.rawValue
        }
    }

    /// Reads the boxes of `bytes`, which libheif goes on reading from and which must outlive the handle.
    ///
    /// Nil when libheif cannot start.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) throws(Failure) {
        guard let context = heif_context_alloc() else { return nil }
        var handle: OpaquePointer?
        var failure = Failure(
            "opening the file",
            heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil)
        )
        if failure == nil {
            failure = Failure("finding the picture", heif_context_get_primary_image_handle(context, &handle))
        }
        guard let handle, failure == nil else {
            heif_context_free(context)
            if let failure { throw failure }
            return nil
        }
        self.context = context
        self.handle = handle
    }

    deinit {
        heif_image_handle_release(handle)
        heif_context_free(context)
    }

    /// Pixels in a row, after the file's own cropping and turning.
    var width: Int { Int(heif_image_handle_get_width(handle)) }
    /// Rows, after the file's own cropping and turning.
    var height: Int { Int(heif_image_handle_get_height(handle)) }

    /// The picture as 8-bit RGB, cropped and turned as the file says; nil when libheif gives no pixels.
    func decode() throws(Failure) -> RasterImage? {
        guard let options = heif_decoding_options_alloc() else { return nil }
        defer { heif_decoding_options_free(options) }
        options.pointee.convert_hdr_to_8bit = 1
        options.pointee.strict_decoding = 1
        var decoded: OpaquePointer?
        let failure = Failure(
            "decoding the picture",
            heif_decode_image(handle, &decoded, heif_colorspace_RGB, heif_chroma_interleaved_RGB, options)
        )
        defer { heif_image_release(decoded) }
        if let failure { throw failure }
        var stride: Int32 = 0
        guard let decoded, let plane = heif_image_get_plane_readonly(decoded, heif_channel_interleaved, &stride) else {
            return nil
        }
        let width = Int(heif_image_get_width(decoded, heif_channel_interleaved))
        let height = Int(heif_image_get_height(decoded, heif_channel_interleaved))
        let row = width * 3
        guard width > 0, height > 0, Int(stride) >= row else { return nil }
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
