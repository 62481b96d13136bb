import Imaging

@testable import SpineSynthesis

/// Cameras and flat pictures to test with.
enum Cameras {
    /// Returns the camera that shows things as they are, with one thing changed.
    static func still(_ change: (inout CameraSpecification) -> Void) -> CameraSpecification {
        var camera = CameraSpecification()
        change(&camera)
        return camera
    }

    /// Camera with every effect, each at the end of its range.
    static let everything = still { camera in
        (camera.zoom, camera.barrel, camera.curvature, camera.lampAngle) = (3, 0.1, 75, 60)
        (camera.blurSigma, camera.defocusRadius, camera.motionLength, camera.motionAngle) = (3, 6, 16, 30)
        (camera.exposure, camera.lightDown, camera.lightRight, camera.vignetting) = (1.5, 1, -1, 0.8)
        (camera.glare, camera.glareLength, camera.glareSoftness, camera.glareSlant) = (1.5, 0.01, 0, 60)
        (camera.shadow, camera.shadowReach, camera.boardShadow, camera.boardShadowReach) = (0.9, 1, 0.9, 1)
        (camera.iso, camera.denoising, camera.sharpening, camera.contrast) = (3200, 1, 2, 1)
        (camera.firstJPEGQuality, camera.jpegQuality, camera.mask) = (60, 60, 0.2)
    }

    static func flat(width: Int, height: Int, _ grey: (_ x: Int, _ y: Int) -> UInt8) -> RasterImage {
        var image = RasterImage(width: width, height: height, channels: 3)
        for y in 0..<height {
            for x in 0..<width {
                for channel in 0..<3 { image.pixels[(y * width + x) * 3 + channel] = grey(x, y) }
            }
        }
        return image
    }

    static func rectangle(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> Quad {
        Quad(
            topLeft: Point(x: left, y: top),
            topRight: Point(x: right, y: top),
            bottomRight: Point(x: right, y: bottom),
            bottomLeft: Point(x: left, y: bottom)
        )
    }
}

extension RasterImage {
    func grey(_ x: Int, _ y: Int) -> Int { Int(pixels[(y * width + x) * channels]) }
}
