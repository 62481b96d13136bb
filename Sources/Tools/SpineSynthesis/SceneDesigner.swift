/// Designer of illustrations: overlapping shapes in a few colours, without faces and without text.
enum SceneDesigner {
    private enum Kind: CaseIterable {
        case landscape, skyline, shapes, dots, stripes, clouds, leaves
    }

    /// Returns an illustration over a part of the spine, from edge to edge: its marks in painting order.
    ///
    /// `range`: Head (0) to foot (1). `strength`: How far its colours may leave the ground's, 0…1; text is printed on
    /// faint ones only.
    static func marks(
        over range: ClosedRange<Double>,
        shape: Double,
        ground: Colour,
        strength: Double,
        _ generator: inout SeededGenerator
    ) -> [Mark] {
        let height = range.span * shape
        let colours = colours(on: ground, strength: strength, &generator)
        func mark(
            _ shape: Mark.Shape,
            _ place: Double,
            _ across: Double,
            _ width: Double,
            _ tall: Double,
            turn: Double = 0,
            _ generator: inout SeededGenerator
        ) -> Mark {
            // Kept inside the part, so that it does not run into the text beside.
            let half = min(tall, height) / 2 / height
            let inside = max(half, min(1 - half, place))
            return Mark(
                shape: shape,
                along: range.lowerBound + inside * range.span,
                across: across,
                width: width,
                height: min(tall, height),
                turn: turn,
                colour: generator.element(of: colours)
            )
        }
        let count = max(3, min(24, Int(height * generator.number(in: 2...4))))
        switch generator.element(of: Kind.allCases) {
        case .landscape:
            let sun = mark(.ellipse, 0.15, generator.unit(), 0.5, 0.5, &generator)
            let layers = generator.integer(in: 2...4)
            return [sun]
                + (0..<layers).map { layer in
                    let top = 0.3 + 0.6 * Double(layer) / Double(layers)
                    let tall = (1 - top) * height
                    let shape = generator.element(of: [Mark.Shape.hills, .peaks, .hills, .slope])
                    return mark(shape, top + (1 - top) / 2, 0.5, generator.number(in: 1.05...2), tall, &generator)
                }
        case .skyline:
            let moon = mark(.crescent, 0.2, generator.number(in: 0.2...0.8), 0.35, 0.35, &generator)
            return [moon, mark(.towers, 1, 0.5, generator.number(in: 1.05...1.5), 0.5 * height, &generator)]
        case .shapes:
            let kinds: [Mark.Shape] = [.ellipse, .triangle, .box, .lozenge, .ring]
            return (0..<count).map { _ in
                let size = min(height * 0.5, generator.number(in: 0.25...1.1))
                let (kind, place, across) = (generator.element(of: kinds), generator.unit(), generator.unit())
                let turn = height > 1.5 * size ? generator.number(in: -0.7...0.7) : 0
                return mark(kind, place, across, size, size, turn: turn, &generator)
            }
        case .dots:
            let size = generator.number(in: 0.08...0.2)
            let rows = max(1, min(40, Int(height / (size * 2))))
            let wide = max(1, Int(1 / (size * 2)))
            return (0..<rows).flatMap { row in
                (0..<wide).map { column in
                    let shift = row.isMultiple(of: 2) ? 0.25 : 0.75
                    let (place, across) = ((Double(row) + 0.5) / Double(rows), (Double(column) + shift) / Double(wide))
                    return mark(.ellipse, place, across, size, size, &generator)
                }
            }
        case .stripes:
            let tall = generator.number(in: 0.12...0.5)
            let rows = max(1, min(30, Int(height / (2 * tall))))
            return (0..<rows).map { row in
                mark(.box, (Double(row) + 0.5) / Double(rows), 0.5, 1.02, tall, &generator)
            }
        case .clouds:
            return (0..<count).map { _ in
                let width = generator.number(in: 0.4...0.9)
                return mark(.cloud, generator.unit(), generator.unit(), width, width * 0.5, &generator)
            }
        case .leaves:
            let kind = generator.element(of: [Mark.Shape.leaf, .flower, .star, .bird, .fleuron])
            return (0..<count).map { _ in
                let size = generator.number(in: 0.2...0.5)
                let (place, across) = (generator.unit(), generator.unit())
                let turn = height > size * 1.5 ? generator.number(in: -1.5...1.5) : 0
                return mark(kind, place, across, size, size, turn: turn, &generator)
            }
        }
    }

    private static func colours(on ground: Colour, strength: Double, _ generator: inout SeededGenerator) -> [Colour] {
        // Dark grounds get dark pictures and light ones light pictures where text is to stay readable.
        let limit = 1.35 + 8 * strength
        let accents = (0..<3).map { _ in generator.element(of: Palette.covers) }
        return (0..<4).map { index in
            let accent = accents[index % accents.count]
            var share = strength < 1 ? generator.number(in: 0.25...0.6) : generator.number(in: 0.7...1)
            while ground.mixed(with: accent, share: share).contrast(with: ground) > limit, share > 0.04 { share *= 0.7 }
            return ground.mixed(with: accent, share: share)
        }
    }
}
