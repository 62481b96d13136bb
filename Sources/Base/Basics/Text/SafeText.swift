/// Texts of others, safe to show: without controls, marks of direction and characters that nobody sees.
public enum SafeText {
    /// Returns whether a character is one of these; the joiners of scripts and emoji are none.
    public static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x061C, 0x115F, 0x1160, 0x200B, 0x200E, 0x200F, 0x2028...0x202E,
            0x2060...0x2069, 0x2800, 0x3164, 0xFEFF, 0xFFA0, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// Returns a text on one line with single spaces: what is forbidden parts words, but for soft hyphens and zero-width
    /// spaces, at which a word may be broken.
    public static func collapsed(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isSpace = true
        for scalar in text.unicodeScalars where scalar.value != 0xAD && scalar.value != 0x200B {
            if !scalar.properties.isWhitespace, !isForbidden(scalar) {
                result.append(scalar)
                isSpace = false
            } else if !isSpace {
                result.append(" ")
                isSpace = true
            }
        }
        if result.last == " " { result.removeLast() }
        return String(result)
    }
}
