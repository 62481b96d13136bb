struct Lettering {
    let brief: SpineRequest
    let typefaces: [Typeface]
    let typesetter: Typesetter

    private static let plainGenres: [Typeface.Genre] = [.serif, .sans, .condensed, .slab]

    func pair(
        title: String,
        other: String,
        _ generator: inout SeededGenerator
    ) -> (title: Typeface, other: Typeface) {
        let otherFace = choose(for: other, from: Self.plainGenres, &generator)
        let titleFace: Typeface =
            switch brief.treatment {
            case .script?, .blackletter?, .display?, .handLettered?, .typewriter?:
                choose(for: title, from: [brief.treatment?.genre].compactMap(\.self), &generator)
            case .outlined?, .shadowed?, .hollow?, .glowing?, .graded?:
                choose(for: title, from: [.sans, .condensed, .slab, .serif], where: { $0.style == "Bold" }, &generator)
            case .mixedWeights?:
                choose(for: title, from: Self.plainGenres, where: { lighter(than: $0) != nil }, &generator)
            case .smallCapitals?, .largeInitials?:
                choose(for: title, from: [.serif], where: { $0.letterCase == .any }, &generator)
            case _ where brief.layout == .letterStack:
                choose(for: title, from: Self.plainGenres + [.display], where: { $0.letterCase != .mixed }, &generator)
            default:
                generator.chance(0.4) && typesetter.canWrite(title, in: otherFace)
                    ? otherFace : choose(for: title, from: Self.plainGenres, &generator)
            }
        // Some spines have one decorated typeface for everything.
        let isShared = [.handLettered, .typewriter].contains(titleFace.genre) && generator.chance(0.5)
        return (titleFace, isShared && typesetter.canWrite(other, in: titleFace) ? titleFace : otherFace)
    }

    /// Returns the typeface of the same family that is lighter than a bold one, for the small words of a title.
    func lighter(than typeface: Typeface) -> Typeface? {
        guard typeface.style.contains("Bold") else { return nil }
        return typefaces.first { $0.family == typeface.family && ["", "Medium", "Book"].contains($0.style) }
    }

    func labelFace(for text: String, _ generator: inout SeededGenerator) -> Typeface {
        choose(for: text, from: generator.chance(0.5) ? [.typewriter] : [.sans], &generator)
    }

    func cased(_ text: String, in typeface: Typeface, capitals: Bool) -> String {
        switch typeface.letterCase {
        case .any: capitals ? text.uppercased() : text
        case .mixed: text
        case .capitals: text.uppercased()
        }
    }

    func shape(_ block: inout TextBlock, _ generator: inout SeededGenerator) {
        guard block.arrangement == .rows else { return }
        switch brief.treatment {
        case .letterSpaced?: block.letterSpacing = generator.number(in: 0.25...0.55)
        case .smallCapitals?: block.smallCapitals = true
        case .largeInitials?: block.initialScale = generator.number(in: 1.35...1.8)
        case .stretched?: block.stretch = generator.chance(0.6) ? generator.number(in: 0.5...0.65) : 1.5
        case .mixedWeights?:
            guard let light = lighter(than: block.typeface) else { break }
            let first = generator.chance(0.5)
            for index in block.rows.indices where block.rows.count > 1 && (index == 0) == first {
                block.rows[index].typeface = light
            }
        default:
            // Letters of script and blackletter join, so only the others can be set wider or tighter.
            guard block.typeface.letterCase != .mixed, generator.chance(0.5) else { break }
            block.letterSpacing =
                generator.chance(0.5) ? generator.number(in: 0.03...0.14) : generator.number(in: -0.04 ... -0.02)
            block.stretch = generator.chance(0.5) ? generator.number(in: 0.7...1.12) : 1
        }
    }

    func finish(_ block: inout TextBlock, on grounds: [Colour], _ inks: inout Inks, _ generator: inout SeededGenerator)
    {
        switch brief.treatment {
        case .foil?:
            let tones = Inks.foil(on: grounds)
            block.ink = tones[1]
            block.effect = .foil(darkest: tones[0], brightest: tones[2])
            return
        case .embossed?:
            let ground = grounds.first ?? .white
            block.ink = ground.mixed(with: ground.luminance > 0.3 ? .black : .white, share: 0.28)
            block.effect = .embossed(offset: 0.025)
            return
        case .toneOnTone?:
            block.ink = inks.tone(on: grounds, &generator)
            return
        default: block.ink = inks.title(on: grounds, &generator)
        }
        let opposite: Colour = block.ink.luminance > 0.3 ? Colour(0x101014) : Colour(0xF4F0E6)
        switch brief.treatment {
        case .outlined?: block.effect = .outlined(opposite, width: generator.number(in: 0.03...0.06))
        case .hollow?: block.effect = .hollow(width: generator.number(in: 0.035...0.05))
        case .shadowed?: block.effect = .shadowed(opposite, offset: generator.number(in: 0.04...0.07))
        case .glowing?: block.effect = .glowing(opposite)
        case .graded?: block.effect = .graded(inks.title(on: grounds, besides: block.ink, &generator))
        case .twoColours?:
            let second = inks.title(on: grounds, besides: block.ink, &generator)
            for index in block.rows.indices.dropFirst() { block.rows[index].ink = second }
        case .scene?, .picture?:
            // Print on an illustration often has a separate shade for contrast everywhere.
            if generator.chance(0.5) { block.effect = .glowing(opposite) }
        default: break
        }
    }

    /// Returns a typeface of one of these genres that passes `test` and has every letter of `text`.
    private func choose(
        for text: String,
        from genres: [Typeface.Genre],
        where test: (Typeface) -> Bool = { _ in true },
        _ generator: inout SeededGenerator
    ) -> Typeface {
        let ofGenre = typefaces.filter { genres.contains($0.genre) }
        for candidates in [ofGenre.filter(test), ofGenre, typefaces] {
            var remaining = candidates
            while !remaining.isEmpty {
                let place = generator.integer(in: 0...remaining.count - 1)
                if typesetter.canWrite(text, in: remaining[place]) { return remaining[place] }
                remaining.remove(at: place)
            }
        }
        return generator.element(of: typefaces)
    }
}
