/// International Standard Book Numbers, of ten digits or of thirteen.
///
/// Source: ISBN Users' Manual, 7th edition, section 6 and appendix 1.
enum ISBN {
    /// What is wrong with the number; nil when it is a right one.
    ///
    /// Hyphens and spaces do not count.
    static func problem(of text: String) -> String? {
        let characters = text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
        var digits = characters.map { Int($0) - Int(UInt8(ascii: "0")) }
        if digits.count == 10, [UInt8(ascii: "X"), UInt8(ascii: "x")].contains(characters[9]) { digits[9] = 10 }
        guard digits.count == 10 || digits.count == 13,
            digits.enumerated().allSatisfy({ (0...9).contains($1) || ($0 == 9 && digits.count == 10 && $1 == 10) })
        else { return "not an ISBN; expected 10 or 13 digits" }
        if digits.count == 10 {
            let sum = digits.enumerated().reduce(0) { $0 + (10 - $1.offset) * $1.element }
            return sum.isMultiple(of: 11) ? nil : "whose check digit does not fit the others"
        }
        let prefix = digits[0] * 100 + digits[1] * 10 + digits[2]
        guard prefix == 978 || prefix == 979 else { return "not an ISBN; 13 digits begin with 978 or 979" }
        let sum = digits.enumerated().reduce(0) { $0 + ($1.offset.isMultiple(of: 2) ? 1 : 3) * $1.element }
        return sum.isMultiple(of: 10) ? nil : "whose check digit does not fit the others"
    }
}
