import CLibXML
import Foundation

/// Decoder of the encodings of the WHATWG Encoding Standard by the C library's iconv: what that refuses becomes U+FFFD,
/// one for bytes side by side, and decoding continues behind it.
///
/// Some 330 rare characters of Big5, gb18030, KOI8-U and Apple's encodings are those of glibc where the standard has others.
enum TextDecoder {
    /// Names of encodings in iconv, if they differ, and of those that have more than a byte a character.
    private static let names = [
        "gb18030": "GB18030", "Big5": "BIG5-HKSCS", "EUC-KR": "CP949", "Shift_JIS": "CP932", "EUC-JP": "EUC-JP-MS",
        "ISO-2022-JP": "ISO-2022-JP-3", "UTF-16LE": "UTF-16LE", "UTF-16BE": "UTF-16BE",
    ]
    private static let singleByteNames = ["windows-874": "CP874", "x-mac-cyrillic": "MAC-UK"]
    private static let replacement = Array("\u{FFFD}".utf8)

    /// Returns a text's bytes in UTF-8.
    static func utf8(_ bytes: ArraySlice<UInt8>, _ encoding: String) -> [UInt8] {
        switch encoding {
        case "replacement": return bytes.isEmpty ? [] : replacement
        case "x-user-defined":
            let units = bytes.map { $0 < 0x80 ? UInt16($0) : 0xF700 + UInt16($0) }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        default: break
        }
        let name = names[encoding] ?? singleByteNames[encoding] ?? encoding
        let handle = iconv_open("UTF-8", name)
        guard encoding != "UTF-8", handle != iconv_t(bitPattern: -1) else {
            return Array(String(decoding: bytes, as: UTF8.self).utf8)
        }
        defer { iconv_close(handle) }
        return bytes.withUnsafeBytes { source in
            converted(
                source,
                by: handle,
                isSingleByte: names[encoding] == nil,
                isShifting: encoding == "ISO-2022-JP",
                unit: name.hasPrefix("UTF-16") ? 2 : 1
            )
        }
    }

    private static func converted(
        _ source: UnsafeRawBufferPointer,
        by handle: iconv_t?,
        isSingleByte: Bool,
        isShifting: Bool,
        unit: Int
    ) -> [UInt8] {
        var text: [UInt8] = []
        // Length of the text behind the last replacement.
        var replaced = -1
        var room = [CChar](repeating: 0, count: 1 << 16)
        var input = UnsafeMutablePointer(mutating: source.bindMemory(to: CChar.self).baseAddress)
        var left = source.count
        while left > 0 {
            var fault: Int32 = 0
            let isWhole = room.withUnsafeMutableBufferPointer { target in
                var (output, outputLeft) = (target.baseAddress, target.count)
                let isWhole = iconv(handle, &input, &left, &output, &outputLeft) != -1
                fault = errno
                // A character waits for a mark that may follow; where encodings shift, this would end the shift.
                if isWhole || fault != E2BIG && !isShifting { iconv(handle, nil, nil, &output, &outputLeft) }
                text += target.prefix(target.count - outputLeft).map { UInt8(bitPattern: $0) }
                return isWhole || fault == E2BIG
            }
            guard !isWhole, left > 0 else { continue }
            let byte = source[source.count - left]
            if isSingleByte, byte < 0xA0 {
                // A byte without a character in a code page is a control character in the standard.
                text += [0xC2, byte]
            } else if isSingleByte || replaced != text.count {
                text += replacement
                replaced = text.count
            }
            // A character that the end cuts is one; ASCII in it stays.
            let step = fault == EINVAL && source[source.count - 1] >= 0x80 ? left : min(unit, left)
            (input, left) = (input.map { $0 + step }, left - step)
        }
        return text
    }
}
