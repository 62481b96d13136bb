import Basics
import Foundation

/// An sRGB colour; each component is 0…1, gamma-encoded as in an image file.
struct Colour: Sendable, Hashable {
    var red: Double
    var green: Double
    var blue: Double

    /// Relative luminance, 0 (black) … 1 (white).
    ///
    /// Source: WCAG 2.2, "relative luminance".
    var luminance: Double {
        func linear(_ value: Double) -> Double {
            value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Returns the contrast ratio with `other`, 1 (same luminance) … 21 (black on white).
    ///
    /// Source: WCAG 2.2, "contrast ratio".
    func contrast(with other: Colour) -> Double {
        let (darker, lighter) = (min(luminance, other.luminance), max(luminance, other.luminance))
        return (lighter + 0.05) / (darker + 0.05)
    }

    /// Returns the least contrast with any of `grounds`.
    func contrast(on grounds: [Colour]) -> Double { grounds.map(contrast(with:)).min() ?? 1 }

    /// Returns this colour for `share` 0, `other` for 1, in between in proportion.
    func mixed(with other: Colour, share: Double) -> Colour {
        Colour(
            red: red + (other.red - red) * share,
            green: green + (other.green - green) * share,
            blue: blue + (other.blue - blue) * share
        )
    }

    static let black = Colour(0x000000)
    static let white = Colour(0xFFFFFF)
}

extension Colour {
    /// Creates a colour from `0xRRGGBB`.
    init(_ hex: UInt32) {
        func share(_ bits: UInt32) -> Double { Double(hex >> bits & 0xFF) / 255 }
        self.init(red: share(16), green: share(8), blue: share(0))
    }
}

/// The colours that the generator chooses from.
enum Palette {
    /// Colours of dark spines; black ones are the most frequent of all.
    static let darks: [Colour] = [
        0x121214, 0x17171C, 0x1B1B1F, 0x0E0E10, 0x1D2B4F, 0x0F3B57, 0x3A3D42, 0x551A2B, 0x142218, 0x2B2320, 0x2A1536,
        0x20303A, 0x5B3A26, 0x1E4034,
    ].map { Colour($0) }

    static let lights: [Colour] = [
        0xFBFBF9, 0xF2EFE8, 0xF7F3EA, 0xFFFFFF, 0xE9DFC6, 0xEDEDEE, 0xDDE6EA, 0xF3E3D7, 0xB9B2A4, 0xCFE0CF, 0xE8D9E4,
    ].map { Colour($0) }

    static let colours: [Colour] = [
        0x9E1B22, 0xD43A2F, 0xE2702A, 0xECC531, 0x1F6F70, 0x2D5A3A, 0x6D7038, 0x56306B, 0xD98AA0, 0x6FA8CF, 0x2759A5,
        0xC3A276, 0x8B8D8F, 0xA8CDB5, 0xE4407F, 0x00897B, 0x3F8F4F, 0xF08A24, 0x7A1F3D, 0x4B5FA8, 0xF2D64B, 0x128CB8,
        0xB5432E, 0x8E9E3A,
    ].map { Colour($0) }

    static let covers: [Colour] = darks + lights + colours

    static let inks: [Colour] = [
        0xFFFFFF, 0xF6EFDD, 0x16161A, 0xD9B25A, 0xC9CCD1, 0xC4242B, 0xF4D03F, 0x1B2A55, 0xEE8434, 0xA9D3EE, 0x1E5B3B,
        0x6B1F2E, 0xF7B7C5, 0x2B6CB0, 0x0F6E6E, 0x5A2A82, 0x7BC8A4, 0xE4572E, 0x5C3B1E, 0x9A9EA4,
    ].map { Colour($0) }

    static let plainInks: [Colour] = [0xFFFFFF, 0xFFFFFF, 0xF6EFDD, 0x111114, 0x1C1C20].map { Colour($0) }

    static let furniture: [Colour] = [0x6B4A30, 0x8A6A45, 0xC9B08A, 0x4A2F22, 0xD8D5CE, 0x5E6266].map { Colour($0) }

    static let walls: [Colour] = [0x3A2A20, 0x6B4A30, 0x8C8578, 0x5B5148, 0xDCD9D2].map { Colour($0) }
}

/// The colours that a spine is printed in: as few as designers use, and as strong or faint as they print.
struct Inks {
    private let reach: ClosedRange<Double>
    private let isPlain: Bool
    private var chosen: [Colour] = []

    init(isDecorated: Bool, _ generator: inout SplitMix64) {
        // Most titles have a high contrast; one in nine is faint, and twice as many with decorative lettering.
        let draw = generator.nextDouble() * (isDecorated ? 0.5 : 1)
        reach = draw < 0.11 ? 2.1...3 : draw < 0.33 ? 3...4.5 : 4.5...21
        isPlain = generator.chance(0.55)
    }

    mutating func title(on grounds: [Colour], _ generator: inout SplitMix64) -> Colour {
        let plain = isPlain && reach.lowerBound > 4 ? Palette.plainInks : []
        return choose([(plain, reach), (Palette.inks, reach), (Palette.inks, 3...21)], on: grounds, &generator)
    }

    /// Returns a colour for an author, a publisher or a mark: an already used one if it has at least `contrast`.
    mutating func other(on grounds: [Colour], contrast: Double = 3.2, _ generator: inout SplitMix64) -> Colour {
        let known = chosen.first { $0.contrast(on: grounds) >= contrast }
        if let known, generator.chance(0.65) { return known }
        let palettes = [Palette.plainInks, Palette.inks].map { ($0, contrast...21) }
        return choose(generator.chance(0.4) ? palettes.reversed() : palettes, on: grounds, &generator)
    }

    /// Returns the ground's own colour, lighter or darker by the minimum legible contrast.
    static func tone(on grounds: [Colour], _ generator: inout SplitMix64) -> Colour {
        let (ground, wanted) = (grounds.first ?? .white, generator.number(in: 1.9...2.6))
        let end: Colour = ground.luminance > 0.18 ? .black : .white
        return stride(from: 0.1, through: 1, by: 0.05).lazy.map { ground.mixed(with: end, share: $0) }
            .first { $0.contrast(on: grounds) >= wanted } ?? strongest(on: grounds)
    }

    private mutating func choose(
        _ palettes: [([Colour], ClosedRange<Double>)],
        on grounds: [Colour],
        _ generator: inout SplitMix64
    ) -> Colour {
        for (palette, reach) in palettes {
            let inks = palette.filter { reach.contains($0.contrast(on: grounds)) }
            guard !inks.isEmpty else { continue }
            chosen.append(generator.element(of: inks))
            return chosen[chosen.count - 1]
        }
        return Self.strongest(on: grounds)
    }

    static func strongest(on grounds: [Colour]) -> Colour {
        Colour.black.contrast(on: grounds) > Colour.white.contrast(on: grounds) ? .black : .white
    }
}
