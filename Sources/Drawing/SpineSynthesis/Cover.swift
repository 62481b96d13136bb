/// Cover of a spine.
package struct Cover: Sendable, Equatable, Codable {
    /// The surface under the print.
    package enum Material: String, Sendable, Codable {
        /// Smooth and even.
        case laminate
        /// Faintly uneven.
        case paper
        /// A fine weave.
        case cloth
        /// Coarse blotches.
        case leather
        /// A picture of soft blobs, as on a paperback with a wrap-around photograph.
        case picture
    }

    package var material: Material
    package var colour: Colour
    /// Between head and foot, or the two sides; nil for a gradient of two colours.
    package var middleColour: Colour?
    /// The colour at the foot; the same as `colour` for an even cover.
    package var footColour: Colour
    /// Whether the colours run from the left edge to the right one, not from head to foot.
    package var runsAcross: Bool = false
    /// In painting order: scenes and bands first, then panels, ornaments and devices.
    package var marks: [Mark]
    /// Where the raised bands of a leather binding lie, head (0) to foot (1).
    package var ribs: [Double] = []
    /// Strength of the material's grain, 0…1.
    package var grain: Double
    /// Scratches, creases and rubbed edges, 0 (new) … 1.
    package var wear: Double
    /// Darkness of the edges beside the middle, 0 (flat) … 1, as light falls on a rounded spine.
    package var roundness: Double

    /// The colours of its gradient, in order.
    var stops: [Colour] { [colour] + (middleColour.map { [$0] } ?? []) + [footColour] }
}

extension Cover {
    /// The colours that text in this part of a spine is printed on; `shape` is the spine's length by its thickness.
    func grounds(along: ClosedRange<Double>, across: ClosedRange<Double>, shape: Double) -> [Colour] {
        var grounds: [Colour] = []
        let range = runsAcross ? across : along
        for place in [range.lowerBound, (range.lowerBound + range.upperBound) / 2, range.upperBound] {
            let base = base(at: place)
            // A picture's blobs go either way from its base.
            grounds +=
                material == .picture
                ? [base.mixed(with: .white, share: 0.2), base.mixed(with: .black, share: 0.2)] : [base]
        }
        for mark in marks where mark.lineWidth == nil {
            let (half, tall) = (mark.width / 2, mark.height / 2 / shape)
            let (left, right) = (mark.across - half, mark.across + half)
            let (top, bottom) = (mark.along - tall, mark.along + tall)
            guard left < across.upperBound, right > across.lowerBound, top < along.upperBound, bottom > along.lowerBound
            else { continue }
            let covers =
                left <= across.lowerBound && right >= across.upperBound && top <= along.lowerBound
                && bottom >= along.upperBound
            if mark.isArea, covers {
                grounds = [mark.colour]
            } else {
                grounds.append((grounds.first ?? colour).mixed(with: mark.colour, share: mark.opacity))
            }
        }
        return grounds
    }

    /// The gradient's colour at a place from its start (0) to its end (1).
    private func base(at place: Double) -> Colour {
        let stops = stops
        let position = max(0, min(1, place)) * Double(stops.count - 1)
        let index = min(Int(position), stops.count - 2)
        return stops[index].mixed(with: stops[index + 1], share: position - Double(index))
    }
}
