/// Limits and wishes for one decoding.
public struct DecodingOptions: Sendable, Equatable {
    /// Largest file accepted, in bytes.
    public var maximumBytes: Int
    /// Largest picture accepted: width × height as the header states them, checked before memory is taken.
    ///
    /// Decoding takes at most 4 bytes a pixel, and 8 more for a progressive JPEG. A HEIC takes about 9, and about 17
    /// when it has more than 8 bits a sample (measured with libheif 1.15 and libde265 1.0.11).
    public var maximumPixels: Int
    /// The short side, in pixels, that is enough for the caller; nil for the picture's own size.
    ///
    /// A JPEG is decoded at the smallest of the scales 1/8, 1/4, 3/8, 1/2 and 1 whose short side is not below this.
    /// A picture that is smaller than this, and every PNG and HEIC, is decoded at its own size.
    public var minimumShortSide: Int?

    /// Creates options with limits for files of doubtful origin by default.
    public init(maximumBytes: Int = 256 << 20, maximumPixels: Int = 100_000_000, minimumShortSide: Int? = nil) {
        (self.maximumBytes, self.maximumPixels) = (maximumBytes, maximumPixels)
        self.minimumShortSide = minimumShortSide
    }
}

/// An upright picture, with the metadata of its file.
public struct DecodedImage: Sendable, Equatable {
    /// Picture with the EXIF orientation, or the file's other rotation, applied.
    public var image: RasterImage
    /// Header of the file.
    public var header: ImageHeader
    /// Pixels of `image` per pixel of the full-size picture, more than 0 and at most 1.
    ///
    /// A point `p` of `image` is at `p / scale` in the full-size picture (`header.orientedWidth` ×
    /// `header.orientedHeight`). The size of `image` is rounded up, so that it may reach past the full-size picture
    /// by less than one of its pixels.
    public var scale: Double
}

/// Header of an image file, known before any pixel is decoded.
public struct ImageHeader: Sendable, Equatable {
    /// Format by the file's first bytes.
    public var format: ImageFormat
    /// Pixels in a stored row, before `orientation` is applied.
    ///
    /// The stored size of a HEIC picture is the one after its own cropping and turning.
    public var width: Int
    /// Stored rows, before `orientation` is applied.
    public var height: Int
    /// Channels of the decoded image: 1 (grey) or 3 (RGB).
    public var channels: Int
    /// EXIF orientation, 1…8; 1 if it is missing or invalid.
    ///
    /// Always 1 of a HEIC, whose boxes contain the rotation, and whose EXIF orientation only repeats that.
    public var orientation = 1

    /// Pixels in a row of the oriented picture.
    public var orientedWidth: Int { orientation >= 5 ? height : width }
    /// Rows of the oriented picture.
    public var orientedHeight: Int { orientation >= 5 ? width : height }
}
