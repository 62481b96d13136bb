import Basics
import Evaluation
package import Harness
package import Raster
import Statistics

/// Measures one spine's picture.
package enum SpineMeasurement {
    /// Lines that were read with less are left out of the figures of text: noise and ornaments are among them.
    package static let decentConfidence = 0.6
    /// Fewer edges tell nothing of a spine's sharpness.
    private static let minimumEdges = 8

    /// The figures of one spine.
    ///
    /// `lines`: What a reader found in it, quads in its pixels.
    ///
    /// - Returns: Every figure that can be had; those of text are missing when no line was read with decent confidence,
    ///   those of the picture when next to nothing of it is visible.
    package static func measure(
        _ image: RasterImage,
        lines: [Prediction.Line],
        characters: Int
    ) -> [SpineStatistic: Double] {
        let luma = image.luma()
        let visible = VisibleArea(of: luma, margin: 4)
        let quads = lines.compactMap(\.quad)
        let ground = quads.reduce(visible) { $0.without($1, margin: 2) }
        let (short, long) = (min(image.width, image.height), max(image.width, image.height))
        var values: [SpineStatistic: Double] = [
            .shortSide: Double(short),
            .longSide: Double(long),
            .aspect: Double(long) / Double(short),
            .characters: Double(characters),
        ]
        values[.noise] = NoiseLevel.sigma(of: luma, in: visible)
        values[.brightness] = PictureMeasures.brightness(of: luma, in: visible)
        values[.colourfulness] = PictureMeasures.colourfulness(of: image, in: visible)
        values[.unevenLight] = PictureMeasures.unevenness(of: luma, ground: ground)
        values[.clutter] = GroundClutter.share(of: luma, text: quads)
        values[.blockiness] = PictureMeasures.blockiness(of: luma)
        let decent = lines.filter { $0.confidence ?? 0 >= decentConfidence && $0.text.count >= 2 }.compactMap(\.quad)
        values[.lines] = Double(decent.count)
        return values.merging(ofText(decent, in: image)) { $1 }
    }

    private static func ofText(_ quads: [Quad], in image: RasterImage) -> [SpineStatistic: Double] {
        let straight = quads.compactMap { quad -> (height: Double, crop: RasterImage)? in
            let height = (quad.topLeft.distance(to: quad.bottomLeft) + quad.topRight.distance(to: quad.bottomRight)) / 2
            let length = (quad.topLeft.distance(to: quad.topRight) + quad.bottomLeft.distance(to: quad.bottomRight)) / 2
            let (width, rows) = (max(1, Int(length.rounded())), max(1, Int(height.rounded())))
            return image.cropped(to: quad, width: width, height: rows).map { (height, $0) }
        }
        let measured = straight.compactMap { line in LineMeasures(line.crop).map { (line.height, $0) } }
        func median(_ values: [Double]) -> Double? { ValueDistribution(values).percentile(50).value }
        let heights = straight.map(\.height)
        var values: [SpineStatistic: Double] = [:]
        values[.textHeight] = median(heights)
        values[.largestTextHeight] = heights.max()
        values[.textHeightShare] = heights.max().map { $0 / Double(min(image.width, image.height)) }
        values[.contrastRatio] = median(measured.map(\.1.contrastRatio))
        values[.contrastSteps] = median(measured.map(\.1.contrastSteps))
        values[.laplacian] = median(measured.map(\.1.laplacian))
        let rises = measured.flatMap(\.1.edgeRises)
        if rises.count >= minimumEdges {
            values[.edgeRise] = median(rises)
            values[.edgeRiseShare] = median(measured.flatMap { line in line.1.edgeRises.map { $0 / line.0 } })
        }
        return values
    }
}
