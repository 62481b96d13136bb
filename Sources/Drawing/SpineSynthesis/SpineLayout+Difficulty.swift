import SpineDatasets

/// Difficulty of the spine, for its label.
extension SpineLayout {
    /// In a word: what is hardest about it.
    var style: String {
        if brief.layout == .letterStack { return brief.layout.rawValue }
        let title = blocks.first { $0.role == .title }
        switch brief.treatment {
        // Where no typeface of the kind has the letters, the lettering is plain.
        case .script where title?.typeface.genre != .script, .blackletter where title?.typeface.genre != .blackletter,
            .display where title?.typeface.genre != .display,
            .handLettered where title?.typeface.genre != .handLettered,
            .typewriter where title?.typeface.genre != .typewriter:
            return "plain"
        case let treatment?: return treatment.rawValue
        case nil: break
        }
        if !stickers.isEmpty { return "sticker" }
        return brief.layout == .running ? "plain" : brief.layout.rawValue
    }

    var difficulty: [String: Double] {
        guard let title = blocks.first(where: { $0.role == .title }) else { return [:] }
        let grounds = cover.grounds(along: title.along, across: title.across, shape: length / thickness)
        let luminances = grounds.map(\.luminance)
        let colours = title.rows.map { $0.ink ?? title.ink }
        let contrast = colours.map { Inks.contrast($0, luminances) }.min() ?? 1
        let size = fontSizes(of: [.title]).max() ?? 0
        return ["contrast": (contrast * 100).rounded() / 100, "titleSize": (size / thickness * 1000).rounded() / 1000]
    }

    /// The font sizes of all lines with these roles that no sticker hides, in pixels.
    func fontSizes(of roles: Set<LineRole>) -> [Double] {
        blocks.filter { roles.contains($0.role) }.flatMap { block -> [Double] in
            let setter = TextSetter(block: block, thickness: thickness, length: length)
            guard let (_, lines) = try? setter.set(with: typesetter) else { return [] }
            return lines.map { $0.scale * Typesetter.nominalSize }
        }
    }
}
