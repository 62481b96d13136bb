/// Specification of the effects of lens, light, sensor and processing on the flat picture.
///
/// Lengths in pixels are those of the sensor: the photograph before its digital zoom. Light is linear and 1 is white.
package struct CameraSpecification: Sendable, Equatable, Codable {
    /// Reach of the picture's corners into the margin around the spine, clockwise from the upright spine's top left.
    ///
    /// Unequal values tilt the spine and make its edges converge.
    package var corners = [CornerReach](repeating: CornerReach(across: 0.5, along: 0.5), count: 4)
    /// Pixels of the photograph for each pixel of the flat picture, 0.1…6.
    package var scale = 1.0
    /// Titles and authors get at least this font size in the photograph's pixels: `scale` is raised until they do.
    package var smallestLetters = 0.0
    /// Part of `scale` that is digital zoom, 1 (none)…3: the sensor sees a picture that much smaller, enlarged
    /// afterwards.
    package var zoom = 1.0
    /// Distortion of the lens, by which corners are drawn nearer than the middle, −0.1 (pincushion)…0.1 (barrel).
    package var barrel = 0.0
    /// The angle in degrees by which a rounded spine has turned away at its joints, 0 (flat)…75.
    package var curvature = 0.0

    /// Standard deviation of the lens's softness in pixels, 0…3.
    package var blurSigma = 0.0
    /// Radius of the disc that a point out of focus becomes, in pixels, 0…6.
    package var defocusRadius = 0.0
    /// Movement of the picture while it was taken, in pixels, 0…16.
    package var motionLength = 0.0
    /// The direction of that movement in degrees clockwise from the right.
    package var motionAngle = 0.0

    /// Overall brightness; 1 leaves it as drawn.
    package var exposure = 1.0
    /// Brightness of the picture's bottom beside its top, −1…1.
    package var lightDown = 0.0
    /// Brightness of the picture's right side beside its left one, −1…1.
    package var lightRight = 0.0
    /// The share of the light that the corners lose, growing with the square of the distance from the middle, 0…0.8.
    package var vignetting = 0.0
    /// Gains of red, green and blue: the lamp's colour.
    package var whiteBalance = Colour.white
    /// Position of the lamp, in degrees right of the spine's front, −60…60: it decides which side of a rounded spine
    /// is in shade.
    package var lampAngle = 0.0
    /// Light added where a lamp or window is mirrored, 0 (none)…1.5 (burnt out).
    package var glare = 0.0
    /// Centre of the reflection along the spine, from its head (0) to its foot (1).
    package var glareAlong = 0.5
    /// Length of the reflection as a share of the spine's, 0.01…1.
    package var glareLength = 0.1
    /// Share of the reflection that is its soft border, 0 (a window's sharp edge)…1 (a cloudy sheen).
    package var glareSoftness = 0.5
    /// Slant of the reflection's borders on their way across the spine, in degrees, −60…60.
    package var glareSlant = 0.0
    /// The share of the light that a protruding neighbour takes from one side, 0…0.9.
    package var shadow = 0.0
    /// Reach of that shadow across the spine, as a share of its width, 0…1.
    package var shadowReach = 0.3
    /// The side that it falls from.
    package var shadowSide = Side.left
    /// The share of the light that the board above takes from the head, 0…0.9.
    package var boardShadow = 0.0
    /// Reach of that shadow down the spine, as a share of its length, 0…1.
    package var boardShadowReach = 0.1

    /// The sensor's sensitivity, 50…3200; 0 takes noise away altogether.
    package var iso = 0.0
    /// Share of the fine noise in brightness that the phone smooths away, 0…1.
    package var denoising = 0.0
    /// Strength with which the phone exaggerates edges, 0…2.
    package var sharpening = 0.0
    /// Contrast by which the phone darkens dark tones and lightens light ones, 0…1.
    package var contrast = 0.0

    /// JPEG quality of the photograph that the crop was cut from, 1…100; nil when the crop was compressed only once.
    package var firstJPEGQuality: Int?
    /// JPEG quality, 1…100.
    package var jpegQuality = 90
    /// Distance by which a segmenter's mask strays from the spine's outline, as a share of its width, 0…0.2.
    ///
    /// Everything outside is black; nil leaves the surroundings.
    package var mask: Double?

    /// Books to the left and right of the upright spine, the board under it and the wall behind.
    package var leftNeighbour = Neighbour(colour: .white, accent: .white, height: 1.2)
    package var rightNeighbour = Neighbour(colour: .white, accent: .white, height: 1.2)
    package var shelf = Colour.white
    package var wall = Colour.white

    /// Distance of a picture's corner outside the spine's own, as a share of the margin; each 0…1.
    package struct CornerReach: Sendable, Equatable, Codable {
        package var across: Double
        package var along: Double
    }

    /// Long side of the upright spine.
    package enum Side: String, Sendable, Codable {
        case left
        case right
    }

    /// The part of another book that the picture shows.
    package struct Neighbour: Sendable, Equatable, Codable {
        package var colour: Colour
        /// The colour of its bands and blots.
        package var accent: Colour
        /// Height, as a share of the spine's, 0.5…1.2.
        package var height: Double
    }

    /// Creates a camera that shows the flat picture unchanged, straight on, pixel for pixel; its properties can be
    /// changed.
    package init() {}
}

extension CameraSpecification {
    /// Returns the difficulty of the picture, in figures for its label.
    ///
    /// `width`: Width of the spine in the photograph, in pixels.
    /// `tilt`: How far the spine leans in the photograph, in degrees.
    ///
    /// - Returns: Figures by name; lengths are in the photograph's pixels, `noiseSigma` in steps of 0…255 of luma.
    func difficulty(width: Double, tilt: Double) -> [String: Double] {
        [
            "blurSigma": blurSigma * zoom,
            "defocusRadius": defocusRadius * zoom,
            "motionLength": motionLength * zoom,
            "noiseSigma": Sensor(self).noiseSigma,
            "iso": iso,
            "glare": glare,
            "shadow": max(shadow, boardShadow),
            "exposure": exposure,
            "lightSlope": (lightDown * lightDown + lightRight * lightRight).squareRoot(),
            "tilt": tilt,
            "curvature": curvature,
            "zoom": zoom,
            "width": width,
            "jpegQuality": Double(jpegQuality),
        ]
    }
}
