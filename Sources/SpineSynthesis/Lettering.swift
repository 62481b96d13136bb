/// How a spine's texts are set: typefaces, letter case, inks and effects.
struct Lettering {
    let brief: SpineBrief
    let typefaces: [Typeface]

    private static let plainGenres: [Typeface.Genre] = [.serif, .sans, .condensed, .slab]

    /// The typefaces for the title and for the rest.
    func pair(_ generator: inout SeededGenerator) -> (title: Typeface, other: Typeface) {
        let other = choose(from: Self.plainGenres, &generator)
        let title: Typeface =
            switch brief.treatment {
            case .script?: choose(from: [.script], &generator)
            case .blackletter?: choose(from: [.blackletter], &generator)
            case .display?: choose(from: [.display], &generator)
            case .outlined?, .shadowed?, .hollow?: choose(from: [.sans, .condensed, .slab], style: "Bold", &generator)
            case .smallCapitals?: choose(from: [.serif], &generator)
            default: generator.chance(0.5) ? other : choose(from: Self.plainGenres, &generator)
            }
        return (title, other)
    }

    /// `text` in a letter case that can be read in `typeface`: capitals or not, where the typeface allows either.
    func cased(_ text: String, in typeface: Typeface, capitals: Bool) -> String {
        switch typeface.letterCase {
        case .any: capitals ? text.uppercased() : text
        case .mixed: text
        case .capitals: text.uppercased()
        }
    }

    /// Gives the title's block its ink and effect.
    func finish(_ block: inout TextBlock, on grounds: [Colour], _ generator: inout SeededGenerator) {
        let isFaint = generator.chance(0.35)
        block.ink = CoverDesigner.ink(
            on: grounds,
            contrast: isFaint ? 1.9 : 3,
            upTo: isFaint ? 3.2 : .infinity,
            &generator
        )
        let opposite: Colour = block.ink.luminance > 0.3 ? Colour(0x101014) : Colour(0xF4F0E6)
        switch brief.treatment {
        case .outlined?:
            block.effect = .outlined(opposite, width: generator.number(in: 0.03...0.06))
        case .hollow?:
            block.effect = .hollow(width: generator.number(in: 0.035...0.05))
        case .shadowed?:
            block.effect = .shadowed(opposite, offset: generator.number(in: 0.04...0.07))
        case .picture?:
            block.ink = CoverDesigner.ink(on: grounds, contrast: 3.5, &generator)
        case .foil?:
            let tones = CoverDesigner.foil(on: grounds)
            block.ink = tones[1]
            block.effect = .foil(darkest: tones[0], brightest: tones[2])
        case .embossed?:
            let ground = grounds.first ?? .white
            block.ink = ground.mixed(with: ground.luminance > 0.3 ? .black : .white, share: 0.28)
            block.effect = .embossed(offset: 0.025)
        case .letterSpaced?:
            block.letterSpacing = generator.number(in: 0.25...0.55)
        case .smallCapitals?:
            block.smallCapitals = true
        default:
            // Letters of script and blackletter join, so only the others can be set wider or tighter.
            if block.typeface.letterCase != .mixed, generator.chance(0.5) {
                block.letterSpacing =
                    generator.chance(0.5) ? generator.number(in: 0.03...0.14) : generator.number(in: -0.05 ... -0.02)
            }
            block.stretch = generator.chance(0.5) ? generator.number(in: 0.66...1.12) : 1
        }
    }

    /// A typeface of one of these genres, preferably in this style; any when none of them is there.
    private func choose(
        from genres: [Typeface.Genre],
        style: String? = nil,
        _ generator: inout SeededGenerator
    ) -> Typeface {
        let ofGenre = typefaces.filter { genres.contains($0.genre) }
        let ofStyle = ofGenre.filter { style == nil || $0.style == style }
        return generator.element(of: ofStyle.isEmpty ? (ofGenre.isEmpty ? typefaces : ofGenre) : ofStyle)
    }
}
