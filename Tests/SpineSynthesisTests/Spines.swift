import Basics
import Imaging
import SpineDatasets

@testable import SpineSynthesis

/// Designs, cameras and canvases to test with.
enum Spines {
    static let typeface = Typeface(family: "DejaVu Sans", style: "Bold", genre: .sans, package: "fonts-dejavu-core")

    /// Returns a spine of 60 × 300 pixels with black text in DejaVu Sans on white, in all of it but a tenth at each
    /// side.
    static func plain(_ rows: String..., direction: TextBlock.Direction, pose: Pose = .standing) -> SpineDesign {
        let block = TextBlock(
            role: .title,
            rows: rows.map { TextBlock.Row(text: $0) },
            direction: direction,
            style: Typesetter.Style(typeface: typeface),
            room: Box(x: 6, y: 30, width: 48, height: 240)
        )
        return SpineDesign(
            cover: Cover(width: 60, height: 300, colours: [.white]),
            pose: pose,
            blocks: [block],
            seed: 7
        )
    }

    /// Returns the picture by a camera that shows things as they are.
    static func picture(
        _ design: SpineDesign,
        _ strengths: [Effect: Double] = [:],
        scale: Double = 1
    ) throws -> SpinePicture {
        try SpinePicture(design, camera(strengths, scale: scale))
    }

    static func camera(_ strengths: [Effect: Double] = [:], scale: Double = 1, seed: UInt64 = 5) -> Camera {
        var camera = Camera()
        (camera.strengths, camera.scale, camera.seed) = (strengths, scale, seed)
        return camera
    }

    static func recipe(
        _ category: SampleCategory = .vertical,
        _ layout: Recipe.Layout = .along,
        _ pose: Pose = .standing,
        _ treatment: Recipe.Treatment? = nil
    ) -> Recipe {
        Recipe(
            category: category,
            layout: layout,
            pose: pose,
            treatment: treatment,
            thickness: 80...120,
            slenderness: 6...9
        )
    }

    /// Returns a black canvas with a white box.
    static func canvas(width: Int, height: Int, white: Box) throws -> Canvas {
        let canvas = try Canvas(width: width, height: height)
        canvas.fill(white, .white)
        return canvas
    }
}

extension Book {
    init(_ title: String, _ author: String, _ surname: String, _ language: Language = .english) {
        self.init(title: title, author: author, surname: surname, language: language)
    }
}

extension RasterImage {
    func grey(_ x: Int, _ y: Int) -> Int { Int(pixels[(y * width + x) * channels]) }

    /// Returns the centres of the pixels whose red is in `range`.
    func points(_ range: ClosedRange<Int>) -> [Point] {
        (0..<height).flatMap { y in
            (0..<width).filter { range.contains(grey($0, y)) }.map { Point(x: Double($0) + 0.5, y: Double(y) + 0.5) }
        }
    }
}

extension SpinePicture {
    /// Returns the pixels in which ink takes more than half of the light, away from the spine's edges.
    func ink() -> [Point] {
        let inside = outline.corners.bounds.inset(by: 3)
        return image.points(0...187).filter { inside.contains(Box(x: $0.x, y: $0.y, width: 0, height: 0)) }
    }
}

/// Returns whether two boxes have the same sides but for this many pixels.
func isNear(_ one: Box, _ other: Box, _ most: Double = 2) -> Bool {
    zip([one.x, one.y, one.right, one.bottom], [other.x, other.y, other.right, other.bottom]).allSatisfy {
        abs($0 - $1) < most
    }
}
