/// The file formats that this codec reads; it writes PNG and JPEG.
public enum ImageFormat: String, Sendable, Codable, CaseIterable {
    case png
    case jpeg
    /// HEIF with pictures in HEVC, as iPhones take them.
    case heic

    /// The endings that files of these formats go by, in lower case.
    public static let fileExtensions: Set<String> = ["png", "jpg", "jpeg", "heic", "heif"]
}

/// Header of an image file, known before any pixel is decoded.
public struct ImageHeader: Sendable, Equatable {
    /// Told by the file's first bytes.
    public var format: ImageFormat
    /// Pixels in a stored row, before `orientation` is applied.
    ///
    /// The stored size of a HEIC picture is the one after its own cropping and turning.
    public var width: Int
    /// Stored rows, before `orientation` is applied.
    public var height: Int
    /// Channels of the decoded image: 1 (grey) or 3 (RGB).
    public var channels: Int
    /// The EXIF orientation, 1…8; 1 when the file has none, or one that makes no sense.
    ///
    /// Always 1 of a HEIC, whose boxes say how to turn it, and whose EXIF orientation only repeats that.
    public var orientation: Int

    /// A header from its parts.
    public init(format: ImageFormat, width: Int, height: Int, channels: Int, orientation: Int = 1) {
        self.format = format
        self.width = width
        self.height = height
        self.channels = channels
        self.orientation = orientation
    }

    /// Pixels in a row as the picture is meant to be seen.
    public var orientedWidth: Int { orientation >= 5 ? height : width }
    /// Rows as the picture is meant to be seen.
    public var orientedHeight: Int { orientation >= 5 ? width : height }
}
