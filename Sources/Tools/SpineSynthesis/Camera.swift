import Imaging

/// Camera that photographs a flat picture, in the order of the light: reflections and shadows on the spines, the view,
/// the lamp, the lens, the sensor, the phone's processing, its JPEG, the digital zoom.
struct Camera {
    let specification: CameraSpecification

    init(_ specification: CameraSpecification) { self.specification = specification }

    /// Returns the photograph of `frame`, about `scale` times its size, and the positions of the flat picture's points
    /// in it.
    ///
    /// `frame`: Clockwise from the photograph's top left. `surfaces`: The spines with roundness, reflections and
    /// shadows.
    ///
    /// - Throws: `SynthesisError.specification` when the frame has no area or the photograph exceeds 32767 pixels a
    /// side.
    func photograph(
        _ flat: RasterImage,
        frame: Quad,
        surfaces: [SpineSurface] = [],
        _ generator: inout SeededGenerator
    ) throws(SynthesisError) -> (image: RasterImage, projection: Projection) {
        let across = frame.topLeft.distance(to: frame.topRight) + frame.bottomLeft.distance(to: frame.bottomRight)
        let down = frame.topLeft.distance(to: frame.bottomLeft) + frame.topRight.distance(to: frame.bottomRight)
        func size(_ scale: Double) throws(SynthesisError) -> (width: Int, height: Int) {
            let (width, height) = (across / 2 * scale, down / 2 * scale)
            guard width < 32_768, height < 32_768 else {
                throw .specification("a photograph of \(width) × \(height) pixels; expected at most 32767 per side")
            }
            return (max(1, Int(width.rounded())), max(1, Int(height.rounded())))
        }
        let photo = try size(specification.scale)
        let sensor = try size(specification.scale / specification.zoom)
        let bends = surfaces.map(\.bend).filter { $0.halfAngle > 0 }
        guard
            let projection = Projection(
                frame: frame,
                width: sensor.width,
                height: sensor.height,
                photo: photo,
                barrel: specification.barrel,
                bends: bends
            )
        else { throw .specification("the corners of the picture enclose no area") }
        var picture = Picture(flat)
        for surface in surfaces { surface.light(&picture) }
        picture = picture.seen(through: projection)
        light(&picture)
        picture = picture.blurred(sigma: specification.blurSigma)
        if specification.defocusRadius > 0 || specification.motionLength > 0 {
            picture = picture.blurred(
                by: PointSpread(
                    radius: specification.defocusRadius,
                    length: specification.motionLength,
                    angle: specification.motionAngle
                )
            )
        }
        var image = Sensor(specification).develop(picture, &generator)
        if let quality = specification.firstJPEGQuality { image = try recompressed(image, quality: quality) }
        return (image.resized(width: photo.width, height: photo.height), projection)
    }

    private func light(_ picture: inout Picture) {
        let (width, height) = (picture.width, picture.height)
        let camera = specification
        let gain = Picture.Pixel(
            Float(camera.exposure * camera.whiteBalance.red),
            Float(camera.exposure * camera.whiteBalance.green),
            Float(camera.exposure * camera.whiteBalance.blue),
            0
        )
        // Places from −1 at one edge to 1 at the other.
        func places(_ count: Int) -> [Float] { (0..<count).map { (Float($0) + 0.5) / Float(count) * 2 - 1 } }
        let (columns, rows) = (places(width), places(height))
        let (right, vignetting) = (Float(camera.lightRight), Float(camera.vignetting))
        // Distances from the middle are shares of the half diagonal.
        let diagonal = Float(width * width + height * height)
        let (shareX, shareY) = (Float(width * width) / diagonal, Float(height * height) / diagonal)
        picture.pixels.withUnsafeMutableBufferPointer { pixels in
            columns.withUnsafeBufferPointer { columns in
                for y in 0..<height {
                    let row = rows[y]
                    let down = 1 + Float(camera.lightDown) * row / 2
                    for x in 0..<width {
                        let column = columns[x]
                        let slope = max(0, down + right * column / 2)
                        let corner = column * column * shareX + row * row * shareY
                        pixels[y * width + x] *= gain * (slope * (1 - vignetting * corner))
                    }
                }
            }
        }
    }

    private func recompressed(_ image: RasterImage, quality: Int) throws(SynthesisError) -> RasterImage {
        do {
            return try ImageCodec.decode(ImageCodec.encodeJPEG(image, quality: quality), name: "the photograph").image
        } catch {
            throw .specification("the photograph cannot be compressed twice: \(error)")
        }
    }
}
