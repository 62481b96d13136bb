public import Foundation
public import Raster

/// One picture of a camera.
public struct Frame: Sendable, Equatable, Identifiable {
    /// Of the scan, if it is scanned.
    public var id: UUID
    /// Of all that the camera took, dropped ones too, from 0.
    public var number: Int
    /// Since the camera began.
    public var time: Duration
    /// Grey (the luma plane, S2-16) or in colour.
    public var image: RasterImage

    /// - Parameters:
    ///   - id: of the scan, if it is scanned.
    ///   - number: of all that the camera took, from 0.
    ///   - time: since the camera began.
    ///   - image: grey or in colour.
    public init(id: UUID = UUID(), number: Int, time: Duration, image: RasterImage) {
        self.id = id
        self.number = number
        self.time = time
        self.image = image
    }
}
