/// Draws bindings.
enum CoverDesigner {
    static func cover(for brief: SpineBrief, _ generator: inout SeededGenerator) -> Cover {
        let material: Cover.Material =
            switch brief.treatment {
            case .picture?: .picture
            case .foil?: generator.chance(0.5) ? .cloth : .leather
            case .embossed?: generator.element(of: [.leather, .paper, .laminate])
            case .blackletter?: generator.element(of: [.leather, .cloth, .paper])
            case .script?, .outlined?, .shadowed?, .display?: generator.chance(0.5) ? .picture : .laminate
            default: generator.element(of: [.laminate, .laminate, .paper, .paper, .cloth])
            }
        // Foil is hard to read for its low contrast, but it can be read.
        let covers =
            brief.treatment == .foil
            ? Palette.covers.filter { (2...4.5).contains(foil(on: [$0])[1].contrast(with: $0)) } : Palette.covers
        let colour = generator.element(of: covers)
        var foot = colour
        if brief.treatment != .foil, generator.chance(0.3) {
            foot = colour.mixed(
                with: generator.chance(0.7) ? .black : generator.element(of: Palette.covers),
                share: generator.number(in: 0.2...0.5)
            )
        }
        return Cover(
            material: material,
            colour: colour,
            footColour: foot,
            bands: [],
            ornaments: [],
            grain: generator.number(in: 0.4...1),
            wear: generator.chance(0.6) ? generator.number(in: 0.1...0.9) : 0,
            roundness: generator.number(in: 0.08...0.5)
        )
    }

    /// An ink that stands out from every one of `grounds` by at least `contrast`; black or white when no other does.
    ///
    /// Inks that stand out by more than `limit` are left alone as long as there is another.
    static func ink(
        on grounds: [Colour],
        contrast: Double,
        upTo limit: Double = .infinity,
        _ generator: inout SeededGenerator
    ) -> Colour {
        func least(_ ink: Colour) -> Double { grounds.map { ink.contrast(with: $0) }.min() ?? 1 }
        let fitting = Palette.inks.filter { least($0) >= contrast }
        let faint = fitting.filter { least($0) <= limit }
        if !faint.isEmpty { return generator.element(of: faint) }
        if !fitting.isEmpty { return generator.element(of: fitting) }
        return least(.black) > least(.white) ? .black : .white
    }

    /// The foil whose middle tone stands out most from every one of `grounds`.
    static func foil(on grounds: [Colour]) -> [Colour] {
        func least(_ foil: [Colour]) -> Double { grounds.map { foil[1].contrast(with: $0) }.min() ?? 1 }
        return Palette.foils.max { least($0) < least($1) } ?? [.black, .black, .black]
    }
}
