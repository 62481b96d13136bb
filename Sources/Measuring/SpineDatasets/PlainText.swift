/// Rules for the text of a label.
enum PlainText {
    /// Without white space at its ends.
    static func trimmed(_ text: String) -> String {
        if let first = text.utf8.first, let last = text.utf8.last, Self.ink.contains(first), Self.ink.contains(last) {
            return text
        }
        // Not by a CharacterSet: there, the zero-width space is white space, and would go unseen.
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }

    /// Finds the first character that cannot be seen or has no meaning of its own.
    ///
    /// - Parameters:
    ///   - text: What to look at.
    ///   - mayHaveBreaks: Whether tabs and line ends are white space as good as any.
    /// - Returns: The character and its place; nil when there is none.
    static func problem(of text: String, mayHaveBreaks: Bool = false) -> String? {
        if text.utf8.allSatisfy({ $0 == 0x20 || Self.ink.contains($0) }) { return nil }
        let scalars = text.unicodeScalars
        for (index, scalar) in scalars.enumerated() {
            if mayHaveBreaks, [0x09, 0x0A, 0x0D].contains(scalar.value) { continue }
            // A joiner between two characters changes how they look: ligatures, emoji, Persian.
            if [0x200C, 0x200D].contains(scalar.value), index > 0, index < scalars.count - 1 { continue }
            guard let what = Self.flaw(of: scalar) else { continue }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let code = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            return "has U+\(code) (\(what)) as character \(index + 1)"
        }
        return nil
    }

    /// ASCII that leaves ink.
    private static let ink: ClosedRange<UInt8> = 0x21...0x7E

    private static func flaw(of scalar: Unicode.Scalar) -> String? {
        if scalar.value == 0xFFFD { return "the mark of text that was decoded wrongly" }
        if scalar.value == 0xFFFC { return "the place of an object" }
        return switch scalar.properties.generalCategory {
        case .control: "a control character"
        case .format: "an invisible control of direction, joining or breaking"
        case .privateUse: "for private use"
        case .unassigned: "not assigned"
        case .lineSeparator, .paragraphSeparator: "a line's end"
        default: nil
        }
    }
}
