import Foundation

/// An sRGB colour; each component is 0…1, gamma-encoded as in an image file.
package struct Colour: Sendable, Hashable, Codable {
    package var red: Double
    package var green: Double
    package var blue: Double

    package init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// From `0xRRGGBB`.
    package init(_ hex: UInt32) {
        red = Double(hex >> 16 & 0xFF) / 255
        green = Double(hex >> 8 & 0xFF) / 255
        blue = Double(hex & 0xFF) / 255
    }

    /// Relative luminance, 0 (black) … 1 (white).
    ///
    /// Source: WCAG 2.2, "relative luminance".
    package var luminance: Double {
        func linear(_ value: Double) -> Double {
            value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The contrast ratio with `other`, 1 (same luminance) … 21 (black on white).
    ///
    /// Source: WCAG 2.2, "contrast ratio".
    package func contrast(with other: Colour) -> Double {
        let (darker, lighter) = (min(luminance, other.luminance), max(luminance, other.luminance))
        return (lighter + 0.05) / (darker + 0.05)
    }

    /// This colour for `share` 0, `other` for 1, in between in proportion.
    package func mixed(with other: Colour, share: Double) -> Colour {
        Colour(
            red: red + (other.red - red) * share,
            green: green + (other.green - green) * share,
            blue: blue + (other.blue - blue) * share
        )
    }

    package static let black = Colour(0x000000)
    package static let white = Colour(0xFFFFFF)
}

/// The colours that the generator chooses from.
enum Palette {
    /// What spines are bound in.
    static let covers: [Colour] = [
        0x17171C, 0xF2EFE8, 0xE9DFC6, 0x1D2B4F, 0x9E1B22, 0xD43A2F, 0xE2702A, 0xECC531, 0x1F6F70, 0x2D5A3A, 0x6D7038,
        0x56306B, 0xD98AA0, 0x6FA8CF, 0x2759A5, 0x5B3A26, 0xC3A276, 0x8B8D8F, 0x3A3D42, 0x551A2B, 0xA8CDB5, 0xFBFBF9,
        0x0F3B57, 0xB9B2A4,
    ].map { Colour($0) }

    /// What their text is printed in.
    static let inks: [Colour] = [
        0xFFFFFF, 0xF6EFDD, 0x16161A, 0xD9B25A, 0xC9CCD1, 0xC4242B, 0xF4D03F, 0x1B2A55, 0xEE8434, 0xA9D3EE, 0x1E5B3B,
        0x6B1F2E, 0xF7B7C5,
    ].map { Colour($0) }

    /// Metal foils, as darkest, middle, brightest.
    static let foils: [[Colour]] = [
        [Colour(0x8A6A2A), Colour(0xC9A24B), Colour(0xF0DDA0)],
        [Colour(0x7D8288), Colour(0xB4B9BE), Colour(0xE8EBEE)],
        [Colour(0x7A4630), Colour(0xB87A55), Colour(0xE3B596)],
    ]
}
