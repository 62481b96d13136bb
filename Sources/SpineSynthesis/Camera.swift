import Foundation
import Raster

/// Photographs a flat picture of a spine: takes the view, then adds light, blur and noise.
struct Camera {
    let specification: SpineSpecification
    let margin: Double

    private var camera: CameraSpecification { specification.camera }

    /// Where the corners of the photograph lie in the flat picture, clockwise from the photograph's top left.
    private var frame: Quad {
        let (right, bottom) = (margin + Double(specification.thickness), margin + Double(specification.length))
        let reach = camera.corners.map { (across: $0.across * margin, along: $0.along * margin) }
        let standing = [
            Point(x: margin - reach[0].across, y: margin - reach[0].along),
            Point(x: right + reach[1].across, y: margin - reach[1].along),
            Point(x: right + reach[2].across, y: bottom + reach[2].along),
            Point(x: margin - reach[3].across, y: bottom + reach[3].along),
        ]
        // The corner of the spine that becomes the photograph's top left.
        let first =
            switch specification.pose {
            case .standing: 0
            case .lying: 1
            case .upsideDown: 2
            }
        return Quad(
            topLeft: standing[first],
            topRight: standing[(first + 1) % 4],
            bottomRight: standing[(first + 2) % 4],
            bottomLeft: standing[(first + 3) % 4]
        )
    }

    /// The photograph, and the mapping from the flat picture's pixels to the photograph's.
    ///
    /// - Throws: `SynthesisError.specification` when the picture's corners cross.
    func photograph(
        _ flat: RasterImage,
        _ generator: inout SeededGenerator
    ) throws(SynthesisError) -> (RasterImage, Homography) {
        let frame = frame
        let across = frame.topLeft.distance(to: frame.topRight) + frame.bottomLeft.distance(to: frame.bottomRight)
        let down = frame.topLeft.distance(to: frame.bottomLeft) + frame.topRight.distance(to: frame.bottomRight)
        let (width, height) = (max(1, Int((across / 2).rounded())), max(1, Int((down / 2).rounded())))
        guard
            let view = Homography(width: Double(width), height: Double(height), to: frame),
            let seen = flat.cropped(to: frame, width: width, height: height)
        else {
            throw .specification("the corners of the picture enclose no area")
        }
        var picture = Picture(seen)
        light(&picture)
        picture = picture.blurred(sigma: camera.blurSigma)
        addNoise(&picture, &generator)
        return (picture.image, view.inverse)
    }

    private func light(_ picture: inout Picture) {
        let (width, height) = (Double(picture.width), Double(picture.height))
        let (down, right, exposure) = (camera.lightDown, camera.lightRight, camera.exposure)
        picture.multiply { x, y in
            let slope = down * (Double(y) / height - 0.5) + right * (Double(x) / width - 0.5)
            return Float(exposure * (1 + slope))
        }
        let gains = [camera.whiteBalance.red, camera.whiteBalance.green, camera.whiteBalance.blue].map(Float.init)
        // A reflection lies along the longer side, a sixth of it long, and adds its own white.
        let along = max(width, height)
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let place = Double(width > height ? x : y) / along
                let offset = (place - camera.glareAlong) * 6
                let shine = Float(camera.glare * exp(-offset * offset))
                for channel in 0..<3 {
                    let index = (y * picture.width + x) * 3 + channel
                    let lit = picture.values[index] * gains[channel]
                    picture.values[index] = lit + (255 - lit) * shine
                }
            }
        }
    }

    /// Half of the noise is common to the three channels, half their own, about as after demosaicing.
    private func addNoise(_ picture: inout Picture, _ generator: inout SeededGenerator) {
        guard camera.noiseSigma > 0 else { return }
        let sigma = camera.noiseSigma * 0.5.squareRoot()
        for pixel in 0..<picture.width * picture.height {
            let common = sigma * generator.gaussian()
            for channel in 0..<3 {
                picture.values[pixel * 3 + channel] += Float(common + sigma * generator.gaussian())
            }
        }
    }
}
