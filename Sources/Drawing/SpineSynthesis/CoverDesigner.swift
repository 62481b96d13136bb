/// Draws bindings.
enum CoverDesigner {
    /// A cover without text, for a spine `shape` times as long as thick.
    static func cover(for brief: SpineBrief, shape: Double, _ generator: inout SeededGenerator) -> Cover {
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

    private static func material(for brief: SpineBrief, _ generator: inout SeededGenerator) -> Cover.Material {
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

    private static func colour(for brief: SpineBrief, _ generator: inout SeededGenerator) -> Colour {
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
        // Text has to stand out from both ends.
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
