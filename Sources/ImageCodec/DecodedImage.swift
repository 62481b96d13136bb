public import Raster

/// Limits and wishes for one decoding.
public struct DecodingOptions: Sendable, Equatable {
    /// Largest file accepted, in bytes.
    public var maximumBytes: Int
    /// Largest picture accepted: width × height as the header states them, checked before memory is taken.
    ///
    /// Decoding takes at most 4 bytes a pixel, and 8 more for a progressive JPEG.
    public var maximumPixels: Int
    /// When set, a JPEG is decoded at the smallest of libjpeg-turbo's scales, from 1/8 to 1, whose short side still has
    /// this many pixels. A picture that is smaller than this, and every PNG, is decoded at its own size.
    public var minimumShortSide: Int?

    public init(
        maximumBytes: Int = 256 << 20,
        maximumPixels: Int = 100_000_000,
        minimumShortSide: Int? = nil
    ) {
        self.maximumBytes = maximumBytes
        self.maximumPixels = maximumPixels
        self.minimumShortSide = minimumShortSide
    }
}

/// A picture the right way up, with what its file said about it.
public struct DecodedImage: Sendable, Equatable {
    /// The EXIF orientation has been applied.
    public var image: RasterImage
    public var header: ImageHeader
    /// Pixels of `image` per pixel of the full-size picture, more than 0 and at most 1. A point `p` of `image` lies at
    /// `p / scale` in the full-size picture (`header.orientedWidth` × `header.orientedHeight`). The size of `image`
    /// is rounded up, so that it may reach past the full-size picture by less than one of its pixels.
    public var scale: Double

    public init(image: RasterImage, header: ImageHeader, scale: Double) {
        self.image = image
        self.header = header
        self.scale = scale
    }
}
