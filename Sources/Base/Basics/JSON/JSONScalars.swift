/// A number of a JSON text (RFC 8259, section 6).
struct JSONNumberParser {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Index before the number, and after it once that is parsed.
    var index: Int

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

    /// Reads one digit or more; `count` grows by their number.
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

/// The text between quotation marks that has escapes in it (RFC 8259, section 7).
struct JSONEscapes {
    /// Bytes between the quotation marks.
    let bytes: UnsafeBufferPointer<UInt8>
    /// Offset of the first byte in the whole text, for messages.
    let offset: Int
    /// Half a surrogate pair is U+FFFD, rather than a fault.
    let replacesHalves: Bool
    private(set) var index = 0

    mutating func resolve() throws(JSONFault) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                index += 1
                continue
            }
            index += 1
            switch index < bytes.count ? bytes[index] : 0 {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(bytes[index])
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                text += Array(String(try scalar()).utf8)
                continue
            default: throw fault("an escape that JSON does not have")
            }
            index += 1
        }
        guard let valid = String(validating: text, as: UTF8.self) else {
            index = 0
            throw fault("text that is not UTF-8")
        }
        return valid
    }

    /// Returns the character of a `\uXXXX`, or of two that are a surrogate pair; `index` is at the `u`.
    private mutating func scalar() throws(JSONFault) -> Unicode.Scalar {
        let start = index
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        if first < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        {
            index += 1
            let second = try unit()
            if (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            {
                return scalar
            }
        }
        if replacesHalves {
            // Behind the first half: the second may be an escape of its own.
            index = start + 5
            return "\u{FFFD}"
        }
        index = start
        throw fault("half a surrogate pair")
    }

    /// Returns four hexadecimal digits after the `u`.
    private mutating func unit() throws(JSONFault) -> UInt32 {
        index += 1
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard index < bytes.count, let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue,
                bytes[index] < 0x80
            else { throw fault("expected four hexadecimal digits after \\u") }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    private func fault(_ problem: String) -> JSONFault { JSONFault(column: offset + index + 1, problem: problem) }
}
