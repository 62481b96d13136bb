/// Chooses the colours that a spine is printed in: as few as designers use, and as strong or faint as they print.
struct Inks {
    /// Range of a title's contrast with what it is printed on.
    private let reach: ClosedRange<Double>
    private let isPlain: Bool
    private var chosen: [Colour] = []

    init(stylized: Bool, _ generator: inout SeededGenerator) {
        // Most titles stand out well; one in nine is faint, and twice as many where the lettering is decorative.
        let draw = generator.unit() * (stylized ? 0.5 : 1)
        reach = draw < 0.11 ? 2.1...3 : draw < 0.33 ? 3...4.5 : 4.5...21
        isPlain = generator.chance(0.55)
    }

    /// For a title; a colour that nobody takes for `besides`.
    mutating func title(
        on grounds: [Colour],
        besides: Colour? = nil,
        _ generator: inout SeededGenerator
    ) -> Colour {
        let luminances = grounds.map(\.luminance)
        func inks(_ palette: [Colour], _ reach: ClosedRange<Double>) -> [Colour] {
            palette.filter { ink in
                (besides.map { $0.distance(to: ink) > 0.45 } ?? true)
                    && reach.contains(Self.contrast(ink, luminances))
            }
        }
        let plain = isPlain && besides == nil && reach.lowerBound > 4 ? inks(Palette.plainInks, reach) : []
        for candidates in [plain, inks(Palette.inks, reach), inks(Palette.inks, 3...21)] where !candidates.isEmpty {
            let ink = generator.element(of: candidates)
            chosen.append(ink)
            return ink
        }
        return Self.strongest(on: luminances)
    }

    /// For an author, a publisher or a mark: one that is in use already where that stands out by at least `contrast`.
    mutating func other(
        on grounds: [Colour],
        contrast: Double = 3.2,
        _ generator: inout SeededGenerator
    ) -> Colour {
        let luminances = grounds.map(\.luminance)
        let fitting = chosen.filter { Self.contrast($0, luminances) >= contrast }
        if let known = fitting.first, generator.chance(0.65) { return known }
        let plain = Palette.plainInks.filter { Self.contrast($0, luminances) >= contrast }
        let others = Palette.inks.filter { Self.contrast($0, luminances) >= contrast }
        let candidates = plain.isEmpty || generator.chance(0.4) ? others : plain
        guard !candidates.isEmpty else { return Self.strongest(on: luminances) }
        let ink = generator.element(of: candidates)
        chosen.append(ink)
        return ink
    }

    /// Ink that leather is stamped in: gold or a pale colour.
    func stamped(on grounds: [Colour], _ generator: inout SeededGenerator) -> Colour {
        let luminances = grounds.map(\.luminance)
        let inks = [0xD9B25A, 0xC9A24B, 0xE6CF8B, 0xF6EFDD].map { Colour($0) }
        let fitting = inks.filter { Self.contrast($0, luminances) >= 3 }
        return fitting.isEmpty ? Self.strongest(on: luminances) : generator.element(of: fitting)
    }

    /// The ground's own colour, lighter or darker by as much as can just be read.
    func tone(on grounds: [Colour], _ generator: inout SeededGenerator) -> Colour {
        let luminances = grounds.map(\.luminance)
        let ground = grounds.first ?? .white
        let wanted = generator.number(in: 1.9...2.6)
        let end: Colour = ground.luminance > 0.18 ? .black : .white
        for share in stride(from: 0.1, through: 1, by: 0.05) {
            let tone = ground.mixed(with: end, share: share)
            if Self.contrast(tone, luminances) >= wanted { return tone }
        }
        return Self.strongest(on: luminances)
    }

    /// The foil whose middle tone stands out most from every one of `grounds`.
    static func foil(on grounds: [Colour]) -> [Colour] {
        let luminances = grounds.map(\.luminance)
        return Palette.foils.max { contrast($0[1], luminances) < contrast($1[1], luminances) }
            ?? [.black, .black, .black]
    }

    /// The least contrast of `ink` with grounds of these luminances (WCAG 2.2).
    static func contrast(_ ink: Colour, _ grounds: [Double]) -> Double {
        let luminance = ink.luminance
        return grounds.map { (max($0, luminance) + 0.05) / (min($0, luminance) + 0.05) }.min() ?? 1
    }

    private static func strongest(on grounds: [Double]) -> Colour {
        contrast(.black, grounds) > contrast(.white, grounds) ? .black : .white
    }
}
