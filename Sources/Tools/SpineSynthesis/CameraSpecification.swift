/// Specification of the effects of lens, light, sensor and processing on the flat picture.
///
/// Lengths in pixels are those of the sensor: the photograph before its digital zoom. Light is linear and 1 is white.
struct CameraSpecification: Sendable, Equatable {
    /// Reach of the picture's corners into the margin around the spine, clockwise from the upright spine's top left.
    var corners = [CornerReach](repeating: CornerReach(across: 0.5, along: 0.5), count: 4)
    /// Pixels of the photograph for each pixel of the flat picture, 0.1…6.
    var scale = 1.0
    /// Titles and authors get at least this font size in the photograph's pixels: `scale` is raised until they do.
    var smallestLetters = 0.0
    /// Part of `scale` that is digital zoom, 1 (none)…3: the sensor sees a picture that much smaller.
    var zoom = 1.0
    /// Distortion of the lens, by which corners are drawn nearer than the middle, −0.1 (pincushion)…0.1 (barrel).
    var barrel = 0.0
    /// The angle in degrees by which a rounded spine has turned away at its joints, 0 (flat)…75.
    var curvature = 0.0

    /// Standard deviation of the lens's softness in pixels, 0…3.
    var blurSigma = 0.0
    /// Radius of the disc that a point out of focus becomes, in pixels, 0…6.
    var defocusRadius = 0.0
    /// Movement of the picture while it was taken, in pixels, 0…16.
    var motionLength = 0.0
    /// The direction of that movement in degrees clockwise from the right.
    var motionAngle = 0.0

    /// Overall brightness; 1 leaves it as drawn.
    var exposure = 1.0
    /// Brightness of the picture's bottom beside its top, −1…1.
    var lightDown = 0.0
    /// Brightness of the picture's right side beside its left one, −1…1.
    var lightRight = 0.0
    /// The share of the light that the corners lose, growing with the square of the distance from the middle, 0…0.8.
    var vignetting = 0.0
    /// Gains of red, green and blue: the lamp's colour.
    var whiteBalance = Colour.white
    /// Position of the lamp that shades a rounded spine, in degrees right of the spine's front, −60…60.
    var lampAngle = 0.0
    /// Light added where a lamp or window is mirrored, 0 (none)…1.5 (burnt out).
    var glare = 0.0
    /// Centre of the reflection along the spine, from its head (0) to its foot (1).
    var glareAlong = 0.5
    /// Length of the reflection as a share of the spine's, 0.01…1.
    var glareLength = 0.1
    /// Share of the reflection that is its soft border, 0 (a window's sharp edge)…1 (a cloudy sheen).
    var glareSoftness = 0.5
    /// Slant of the reflection's borders on their way across the spine, in degrees, −60…60.
    var glareSlant = 0.0
    /// The share of the light that a protruding neighbour takes from one side, 0…0.9.
    var shadow = 0.0
    /// Reach of that shadow across the spine, as a share of its width, 0…1.
    var shadowReach = 0.3
    var shadowSide = Side.left
    /// The share of the light that the board above takes from the head, 0…0.9.
    var boardShadow = 0.0
    /// Reach of that shadow down the spine, as a share of its length, 0…1.
    var boardShadowReach = 0.1

    /// The sensor's sensitivity, 50…3200; 0 takes noise away altogether.
    var iso = 0.0
    /// Share of the fine noise in brightness that the phone smooths away, 0…1.
    var denoising = 0.0
    /// Strength with which the phone exaggerates edges, 0…2.
    var sharpening = 0.0
    /// Contrast by which the phone darkens dark tones and lightens light ones, 0…1.
    var contrast = 0.0

    /// JPEG quality of the photograph that the crop was cut from, 1…100; nil when the crop was compressed only once.
    var firstJPEGQuality: Int?
    var jpegQuality = 90
    /// Distance by which a segmenter's mask strays from the spine's outline, as a share of its width, 0…0.2.
    var mask: Double?

    /// Books to the left and right of the upright spine, the board under it and the wall behind.
    var leftNeighbour = Neighbour(colour: .white, accent: .white, height: 1.2)
    var rightNeighbour = Neighbour(colour: .white, accent: .white, height: 1.2)
    var shelf = Colour.white
    var wall = Colour.white

    struct CornerReach: Sendable, Equatable {
        var across: Double
        var along: Double
    }

    /// Long side of the upright spine.
    enum Side: String, Sendable {
        case left
        case right
    }

    struct Neighbour: Sendable, Equatable {
        var colour: Colour
        var accent: Colour
        /// Height, as a share of the spine's, 0.5…1.2.
        var height: Double
    }

    /// Creates a camera that shows the flat picture unchanged, straight on, pixel for pixel.
    init() {}
}

extension CameraSpecification {
    /// Returns the difficulty of the picture, in figures for its label; lengths are in the photograph's pixels,
    /// `noiseSigma` in steps of 0…255 of luma, `tilt` in degrees.
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
