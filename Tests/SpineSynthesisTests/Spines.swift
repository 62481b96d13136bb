import Imaging
import SpineDatasets

@testable import SpineSynthesis

/// Specifications to test with: black text in DejaVu Sans on white, seen straight on, without noise.
enum Spines {
    static let typeface = Typeface(family: "DejaVu Sans", style: "Bold", genre: .sans, package: "fonts-dejavu-core")

    static func plain(
        _ text: String,
        direction: TextBlock.Direction,
        pose: SpineSpecification.Pose = .standing
    ) -> SpineSpecification {
        let block = TextBlock(
            role: .title,
            rows: [TextBlock.Row(text: text)],
            direction: direction,
            along: 0.1...0.9,
            across: 0.1...0.9,
            typeface: typeface,
            ink: .black
        )
        let cover = Cover(
            material: .laminate,
            colour: .white,
            footColour: .white,
            marks: [],
            grain: 0,
            wear: 0,
            roundness: 0
        )
        return SpineSpecification(
            thickness: 60,
            length: 300,
            pose: pose,
            cover: cover,
            blocks: [block],
            camera: CameraSpecification(),
            grainSeed: 7
        )
    }
}

extension Book {
    init(_ title: String, _ author: String, _ surname: String, _ language: Language = .english, series: Series? = nil) {
        self.init(title: title, author: author, surname: surname, language: language, series: series)
    }
}

extension RenderedSpine {
    /// Returns the area in which ink takes more than half of the light, inside the spine and away from its shaded
    /// edges.
    func darkPixels() -> [Point] {
        let xs = quad.corners.map(\.x)
        let ys = quad.corners.map(\.y)
        let columns = Int(xs.min() ?? 0) + 3..<Int(xs.max() ?? 0) - 3
        let rows = Int(ys.min() ?? 0) + 3..<Int(ys.max() ?? 0) - 3
        return rows.flatMap { y in
            columns.filter { image.pixels[(y * image.width + $0) * 3] < 188 }
                .map { Point(x: Double($0) + 0.5, y: Double(y) + 0.5) }
        }
    }
}
