import Raster

/// Why coordinates cannot be understood.
struct FrameFault: Error { var message: String }

extension CoordinateFrame {
    /// Decides which pixels shapes refer to.
    ///
    /// Annotation tools in browsers, OpenCV and with it PaddleOCR turn pictures as EXIF says; programs on Pillow do not
    /// unless told to. The size that labels state tells which of them it was. Label Studio's COCO export states the stored
    /// size with upright coordinates: what then lies outside the picture is what gives it away.
    ///
    /// - Parameters:
    ///   - shapes: All that was drawn into the picture.
    ///   - statedSize: By the labels.
    ///   - picture: What was found.
    ///   - asked: The caller's choice.
    /// - Returns: The caller's choice, or what fits.
    /// - Throws: ``FrameFault`` when the labels are of a picture of another size.
    static func used(
        by shapes: [Shape],
        statedSize: PixelSize?,
        _ picture: PictureIntake.Picture,
        asked: CoordinateFrame?
    ) throws(FrameFault) -> CoordinateFrame {
        if let asked { return asked }
        let stored = picture.stored.size
        guard let statedSize, statedSize != picture.size else { return .upright }
        guard statedSize == stored else {
            // Shares of the sides are right at any size.
            guard shapes.contains(where: { !$0.isRelative }) else { return .upright }
            throw FrameFault(
                message: "the labels are of a picture of \(statedSize) pixels, the file has \(picture.size); label the "
                    + "file that is here, or bring the one that was labelled"
            )
        }
        let isUpright = shapes.contains { !$0.isRelative && $0.corners.isOutside(stored) }
        return isUpright ? .upright : .stored
    }
}
