/// The text between quotation marks that has escapes in it (RFC 8259, section 7).
struct JSONEscapes {
    /// What stands between the quotation marks.
    let bytes: UnsafeBufferPointer<UInt8>
    /// Of the first byte in the whole text, for messages.
    let offset: Int
    private var index = 0

    init(bytes: UnsafeBufferPointer<UInt8>, offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    /// The text meant.
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
            case UInt8(ascii: "\""): text.append(0x22)
            case UInt8(ascii: "\\"): text.append(0x5C)
            case UInt8(ascii: "/"): text.append(0x2F)
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

    /// The character of a `\uXXXX`, or of two that are a surrogate pair; `index` is at the `u`.
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
        index = start
        throw fault("half a surrogate pair")
    }

    /// Four hexadecimal digits after the `u`.
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
