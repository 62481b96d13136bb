import Basics
import Foundation
import Imaging

/// Shape printed on a cover: a band, a panel, a frame or a device.
struct Mark: Sendable, Equatable {
    enum Shape: String, Sendable, CaseIterable {
        case box, ellipse, star
    }

    var shape = Shape.box
    var box: Box
    var colour: Colour
    /// Line width of an outlined shape, in pixels; nil for a filled one.
    var lineWidth: Double?

    /// Corners of a star in a box from −1 to 1 both ways.
    static let star: [Point] = (0..<10).map { index in
        let (angle, radius) = (Double(index) * .pi / 5, index.isMultiple(of: 2) ? 1 : 0.42)
        return Point(x: radius * sin(angle), y: -radius * cos(angle))
    }
}

/// Surface of a spine under its text, in the pixels of its design.
struct Cover: Sendable, Equatable {
    var width: Double
    var height: Double
    /// Colours from head to foot, evenly spaced; one for an even cover.
    var colours: [Colour]
    /// Marks in painting order.
    var marks: [Mark] = []
    /// Unevenness of the material, 0…1.
    var grain = 0.0
    /// Whether it is a picture of soft blobs, as on a paperback with a wrap-around photograph.
    var isPicture = false
}

extension Cover {
    var box: Box { Box(x: 0, y: 0, width: width, height: height) }

    /// Share of white or black in a picture's brightest and darkest blobs.
    static let blobs = 0.22

    /// Returns the colours under text in this part of the spine.
    func grounds(_ part: Box) -> [Colour] {
        var grounds = [part.y, part.centre.y, part.bottom].flatMap { y -> [Colour] in
            let position = max(0, min(1, y / height)) * Double(colours.count - 1)
            let index = min(Int(position), max(0, colours.count - 2))
            let next = colours[min(index + 1, colours.count - 1)]
            let base = colours[index].mixed(with: next, share: position - Double(index))
            return isPicture ? [Colour.white, .black].map { base.mixed(with: $0, share: Self.blobs) } : [base]
        }
        for mark in marks where mark.lineWidth == nil && mark.box.overlaps(part) {
            if mark.shape == .box, mark.box.contains(part) { grounds = [] }
            grounds.append(mark.colour)
        }
        return grounds
    }

    /// Designs a cover without marks.
    init(width: Double, height: Double, for recipe: Recipe, _ generator: inout SplitMix64) {
        let draw = generator.nextDouble()
        let colour = generator.element(of: draw < 0.25 ? Palette.darks : draw < 0.6 ? Palette.lights : Palette.colours)
        self.init(width: width, height: height, colours: [colour])
        grain = generator.chance(0.4) ? generator.number(in: 0.2...1) : generator.number(in: 0...0.2)
        isPicture = recipe.treatment == .picture
        guard generator.chance(0.22) else { return }
        let isLight = colour.luminance > 0.3
        let end = generator.chance(0.6) ? (isLight ? .white : .black) : generator.element(of: Palette.covers)
        // Text must contrast with both ends.
        var share = generator.number(in: 0.25...0.6)
        while colour.mixed(with: end, share: share).contrast(with: colour) > 2.2 { share *= 0.8 }
        colours.append(colour.mixed(with: end, share: share))
        if generator.chance(0.35) { colours.append(colour) }
    }
}
