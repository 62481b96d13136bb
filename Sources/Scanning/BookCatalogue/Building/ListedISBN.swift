import Basics

/// Numbers as lists have them after a spreadsheet has been at them.
enum ListedISBN {
    /// The number that a row states in one of its fields; nil when there is none that is right.
    static func parse(_ fields: [String]) -> ISBN? {
        fields.lazy.compactMap(written).first ?? fields.lazy.compactMap(scientific).first
    }

    private static func written(_ text: String) -> ISBN? {
        if let isbn = ISBN(text) { return isbn }
        let whole = text.hasSuffix(".0") ? text.dropLast(2) : text[...]
        // Leading zeros are what spreadsheets drop first.
        if (7...9).contains(whole.utf8.count), whole.utf8.dropLast().allSatisfy({ 0x30...0x39 ~= $0 }) {
            return ISBN(String(repeating: "0", count: 10 - whole.utf8.count) + whole)
        }
        if whole.utf8.count < text.utf8.count { return ISBN(String(whole)) }
        // Several numbers, or one with a remark: "0306406152 (pbk.)", "9780306406157; 0306406152".
        let pieces = text.split { ";,|/() \n".contains($0) }
        guard pieces.count > 1 else { return nil }
        return pieces.lazy.compactMap { ISBN(String($0)) }.first
    }

    /// Whether a field says that there is no number.
    static func isPlaceholder(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
            || ["nan", "null", "none", "n/a", "na", "unknown"].contains(text.lowercased())
    }

    /// The number of which "9.78043902348e+12" is the rounded one; nil when two are, or none.
    ///
    /// Twelve digits are left of thirteen. The last one is the check digit, so only two numbers round to the twelve: those
    /// whose first twelve digits are these and whose check digit rounds down, or one less and a check digit that rounds up.
    private static func scientific(_ text: String) -> ISBN? {
        let parts = text.lowercased().split(separator: "e")
        guard parts.count == 2, parts[1] == "+12" || parts[1] == "12" else { return nil }
        let digits = parts[0].filter { $0 != "." }
        guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), (2...13).contains(digits.utf8.count) else { return nil }
        if digits.utf8.count == 13 { return ISBN(digits) }
        guard let rounded = Int(digits + String(repeating: "0", count: 12 - digits.utf8.count)) else { return nil }
        let down = (0...5).compactMap { ISBN("\(rounded)\($0)") }
        let up = (5...9).compactMap { ISBN("\(rounded - 1)\($0)") }
        return down.count + up.count == 1 ? (down + up).first : nil
    }
}
