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

    /// Distance from `other` in the cube of the three components, 0…1.73.
    func distance(to other: Colour) -> Double {
        let (red, green, blue) = (red - other.red, green - other.green, blue - other.blue)
        return (red * red + green * green + blue * blue).squareRoot()
    }

    package static let black = Colour(0x000000)
    package static let white = Colour(0xFFFFFF)
}
