public import Foundation
public import Imaging

/// One picture of a camera.
public struct Frame: Sendable, Equatable, Identifiable {
    /// Identifier of the frame's scan, if it is scanned.
    public var id = UUID()
    /// Number among all frames of the camera, dropped ones included, from 0.
    public var number: Int
    /// Time since the camera began.
    public var time: Duration
    /// Grey (the luma plane, S2-16) or in colour.
    public var image: RasterImage
    /// The part that its owner aims with; nil for all of it.
    public var guide: Guide?

    /// Picture inside the guide, which is read and sent.
    ///
    /// The presence gate checks all of the frame.
    public var aimed: RasterImage { guide?.cut(from: image) ?? image }
}

/// Strip along the middle of a frame that its owner brings the spine into: readers want a picture of one spine.
public struct Guide: Sendable, Hashable, Codable {
    /// Share of the frame's short side, above 0 and up to 1; the strip is as long as the frame.
    public var share: Double

    /// - Parameter share: of the frame's short side, above 0 and up to 1.
    public init(share: Double) { self.share = share }

    /// Returns the strip of a frame, as it is: one pixel wide at least.
    func cut(from image: RasterImage) -> RasterImage? {
        func width(_ side: Int) -> Int { min(side, max(1, Int((Double(side) * share).rounded()))) }
        let isUpright = image.height >= image.width
        let wide = isUpright ? width(image.width) : image.width
        let high = isUpright ? image.height : width(image.height)
        return image.cropped(x: (image.width - wide) / 2, y: (image.height - high) / 2, width: wide, height: high)
    }
}
