/// The file formats that this codec reads and writes.
public enum ImageFormat: String, Sendable, Codable, CaseIterable {
    case png
    case jpeg
}

/// What an image file says about itself before any pixel is decoded.
public struct ImageHeader: Sendable, Equatable {
    public var format: ImageFormat
    /// Pixels in a stored row, before `orientation` is applied.
    public var width: Int
    /// Stored rows, before `orientation` is applied.
    public var height: Int
    /// Channels of the decoded image: 1 (grey) or 3 (RGB). Alpha and CMYK do not reach it.
    public var channels: Int
    /// The EXIF orientation, 1…8; 1 when the file has none, or one that makes no sense.
    public var orientation: Int

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
