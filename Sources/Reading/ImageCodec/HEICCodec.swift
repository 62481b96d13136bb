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
