import Raster

/// A file's bytes, known to begin as a PNG, JPEG or HEIC within the limits.
struct ImageFile {
    let header: ImageHeader
    private let bytes: UnsafeBufferPointer<UInt8>
    private let structure: Structure

    private enum Structure {
        case png(PNGStructure)
        case jpeg(JPEGStructure)
        case heic(HEIFHandle)
    }

    /// Reads the header out of `bytes`, which must outlive the value.
    init(_ bytes: UnsafeBufferPointer<UInt8>, name: String, options: DecodingOptions) throws(ImageCodecError) {
        guard bytes.count <= options.maximumBytes else {
            throw .tooManyBytes(name: name, found: bytes.count, limit: options.maximumBytes)
        }
        self.bytes = bytes
        switch try ImageFormat(of: bytes, name: name) {
        case .png:
            let png = try PNGStructure(bytes, name: name)
            header = ImageHeader(
                format: .png,
                width: png.width,
                height: png.height,
                channels: png.isColour ? 3 : 1,
                orientation: png.orientation
            )
            structure = .png(png)
        case .jpeg:
            let jpeg = try JPEGStructure(bytes, name: name)
            header = ImageHeader(
                format: .jpeg,
                width: jpeg.width,
                height: jpeg.height,
                channels: jpeg.components == 1 ? 1 : 3,
                orientation: jpeg.orientation
            )
            structure = .jpeg(jpeg)
        case .heic:
            let handle = try HEICCodec.open(bytes, name: name, maximumPixels: options.maximumPixels)
            header = ImageHeader(format: .heic, width: handle.width, height: handle.height, channels: 3)
            structure = .heic(handle)
        }
        guard header.width * header.height <= options.maximumPixels else {
            throw .tooManyPixels(
                name: name,
                width: header.width,
                height: header.height,
                limit: options.maximumPixels
            )
        }
    }

    /// The picture as it is stored, and the scale at which it was decoded.
    func decode(
        name: String,
        minimumShortSide: Int?
    ) throws(ImageCodecError) -> (image: RasterImage, scale: Double) {
        switch structure {
        case .png(let png):
            (try PNGCodec.decode(bytes, structure: png, name: name), 1)
        case .jpeg(let jpeg):
            try JPEGCodec.decode(bytes, structure: jpeg, minimumShortSide: minimumShortSide, name: name)
        case .heic(let handle):
            (try HEICCodec.decode(handle, name: name), 1)
        }
    }
}

extension ImageFormat {
    /// Tells the format by a file's first bytes.
    init(of bytes: UnsafeBufferPointer<UInt8>, name: String) throws(ImageCodecError) {
        guard !bytes.isEmpty else { throw .empty(name: name) }
        if bytes.starts(with: PNGStructure.signature) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if HEICStructure.isHEIC(bytes) {
            self = .heic
        } else if PNGStructure.signature.starts(with: bytes) {
            throw .truncated(name: name, format: .png, detail: "it ends in the header, after \(bytes.count) bytes")
        } else if bytes.starts(with: [0xFF, 0xD8]) && bytes.count == 2 {
            throw .truncated(name: name, format: .jpeg, detail: "it ends in the header, after 2 bytes")
        } else {
            throw .foreign(name: name, found: ForeignFormat.name(bytes))
        }
    }
}
