/// A number of a JSON text (RFC 8259, section 6).
struct JSONNumberParser {
    let bytes: UnsafeBufferPointer<UInt8>
    /// In front of the number, and behind it once that is parsed.
    var index: Int

    /// The number as the nearest `Double`.
    mutating func parse() throws(JSONFault) -> Double {
        let start = index
        let isNegative = take("-")
        var digits: UInt64 = 0
        var count = 0
        if take("0") {
            if let next, Self.digits.contains(next) { throw fault("a number must not begin with 0") }
        } else {
            try takeDigits(into: &digits, &count)
        }
        var scale = 0
        if take(".") {
            let whole = count
            try takeDigits(into: &digits, &count)
            scale = count - whole
        }
        let hasExponent = next == UInt8(ascii: "e") || next == UInt8(ascii: "E")
        if hasExponent {
            index += 1
            if !take("+") { _ = take("-") }
            var (exponent, exponentCount): (UInt64, Int) = (0, 0)
            try takeDigits(into: &exponent, &exponentCount)
        }
        // Up to 15 digits and a power of ten up to 22 are exact in a Double, so that one division rounds correctly
        // (Clinger 1990).
        if !hasExponent, count <= 15, scale < Self.powers.count {
            let value = Double(digits) / Self.powers[scale]
            return isNegative ? -value : value
        }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            index = start
            throw fault("the number \(text.prefix(40)) is too large")
        }
        return value
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
    ]

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        index += 1
        return true
    }

    /// One digit or more; `count` grows by as many.
    private mutating func takeDigits(into value: inout UInt64, _ count: inout Int) throws(JSONFault) {
        let before = index
        while let next, Self.digits.contains(next) {
            value = value &* 10 &+ UInt64(next - UInt8(ascii: "0"))
            index += 1
        }
        guard index > before else { throw fault("expected a digit") }
        count += index - before
    }

    private func fault(_ problem: String) -> JSONFault { JSONFault(column: index + 1, problem: problem) }
}
