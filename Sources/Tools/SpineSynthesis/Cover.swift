struct Cover: Sendable, Equatable {
    enum Material: String, Sendable {
        /// Smooth and even.
        case laminate
        /// Faintly uneven.
        case paper
        /// A fine weave.
        case cloth
        case leather
        /// A picture of soft blobs, as on a paperback with a wrap-around photograph.
        case picture
    }

    var material: Material
    var colour: Colour
    /// Colour between head and foot, or the two sides; nil for a gradient of two colours.
    var middleColour: Colour?
    /// The colour at the foot; the same as `colour` for an even cover.
    var footColour: Colour
    /// Whether the colours run from the left edge to the right one, not from head to foot.
    var runsAcross: Bool = false
    /// Marks in painting order: scenes and bands first, then panels, ornaments and devices.
    var marks: [Mark]
    /// Positions of the raised bands of a leather binding, head (0) to foot (1).
    var ribs: [Double] = []
    var grain: Double
    /// Scratches, creases and rubbed edges, 0 (new) … 1.
    var wear: Double
    var roundness: Double

    var stops: [Colour] { [colour] + (middleColour.map { [$0] } ?? []) + [footColour] }
}

extension Cover {
    /// Returns the colours under text in this part of a spine that is `shape` times as long as thick.
    func grounds(along: ClosedRange<Double>, across: ClosedRange<Double>, shape: Double) -> [Colour] {
        var grounds: [Colour] = []
        let range = runsAcross ? across : along
        for place in [range.lowerBound, range.middle, range.upperBound] {
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

    private func base(at place: Double) -> Colour {
        let stops = stops
        let position = max(0, min(1, place)) * Double(stops.count - 1)
        let index = min(Int(position), stops.count - 2)
        return stops[index].mixed(with: stops[index + 1], share: position - Double(index))
    }
}

enum CoverDesigner {
    static func cover(for brief: SpineRequest, shape: Double, _ generator: inout SeededGenerator) -> Cover {
        let material = material(for: brief, &generator)
        let colour = colour(for: brief, &generator)
        var cover = Cover(
            material: material,
            colour: colour,
            footColour: colour,
            marks: [],
            grain: generator.number(in: 0.4...1),
            wear: generator.chance(0.6) ? generator.number(in: 0.1...0.9) : 0,
            roundness: generator.number(in: 0...0.25)
        )
        guard material != .leather, brief.treatment != .foil else { return cover }
        if generator.chance(0.22) { addGradient(&cover, &generator) }
        if brief.treatment == .scene || brief.treatment != .picture && material != .cloth && generator.chance(0.25) {
            cover.marks = SceneDesigner.marks(
                over: 0...1,
                shape: shape,
                ground: cover.stops[cover.stops.count / 2],
                strength: generator.number(in: 0...0.1),
                &generator
            )
        }
        return cover
    }

    private static func material(for brief: SpineRequest, _ generator: inout SeededGenerator) -> Cover.Material {
        if brief.layout == .compartments { return .leather }
        return switch brief.treatment {
        case .picture?: .picture
        case .foil?: generator.chance(0.5) ? .cloth : .leather
        case .embossed?: generator.element(of: [.leather, .paper, .laminate])
        case .blackletter?: generator.element(of: [.leather, .cloth, .paper])
        case .toneOnTone?: generator.element(of: [.cloth, .paper, .laminate])
        case .script?, .outlined?, .shadowed?, .display?, .glowing?:
            generator.chance(0.4) ? .picture : .laminate
        default: generator.element(of: [.laminate, .laminate, .laminate, .paper, .paper, .cloth])
        }
    }

    private static func colour(for brief: SpineRequest, _ generator: inout SeededGenerator) -> Colour {
        if brief.layout == .compartments {
            return generator.element(
                of: [0x3B1A14, 0x5A2A1C, 0x1E2A22, 0x22263A, 0x6B3A22, 0x2A1416].map { Colour($0) }
            )
        }
        if brief.treatment == .foil {
            // Foil is hard to read for its low contrast, but it can be read.
            let covers = Palette.covers.filter { (2...4.5).contains(Inks.foil(on: [$0])[1].contrast(with: $0)) }
            return generator.element(of: covers)
        }
        let draw = generator.unit()
        return generator.element(of: draw < 0.25 ? Palette.darks : draw < 0.6 ? Palette.lights : Palette.colours)
    }

    /// Towards black or another colour, through a third one or not, along the spine or across it.
    private static func addGradient(_ cover: inout Cover, _ generator: inout SeededGenerator) {
        let isLight = cover.colour.luminance > 0.3
        let end: Colour =
            generator.chance(0.6) ? (isLight ? .white : .black) : generator.element(of: Palette.covers)
        // Text must contrast with both ends.
        var share = generator.number(in: 0.25...0.6)
        while cover.colour.mixed(with: end, share: share).contrast(with: cover.colour) > 2.2 { share *= 0.8 }
        cover.footColour = cover.colour.mixed(with: end, share: share)
        if generator.chance(0.35) {
            cover.middleColour = cover.footColour
            cover.footColour = cover.colour
        }
        cover.runsAcross = generator.chance(0.15)
    }
}
