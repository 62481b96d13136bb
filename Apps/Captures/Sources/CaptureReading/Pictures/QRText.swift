import Basics
import Foundation

/// Text of a QR code's bytes.
///
/// ISO/IEC 18004:2015 has ISO 8859-1 where no ECI names another encoding; nearly all makers of codes write UTF-8
/// without one, so that valid UTF-8 is decoded as UTF-8, as phones do. Text with an ECI has become UTF-8 before.
enum QRText {
    /// Returns the text of a whole code's bytes, which are those of Shift_JIS in Kanji mode.
    ///
    /// `guess` is ZBar's text for the same bytes: it tries Shift_JIS first for a content in Kanji mode, and Big5
    /// first for any other one that may be Big5.
    static func text(_ bytes: [UInt8], guess: String) -> String {
        if let text = String(validating: bytes.withoutByteOrderMark, as: UTF8.self) { return text }
        // Not ZBar's own: the C library's Shift_JIS has a yen sign for the backslash.
        let japanese = String(bytes: bytes, encoding: .shiftJIS)
        if bytes.contains(where: { (0x80..<0xA0).contains($0) }) {
            // None of ISO 8859-1: Shift_JIS, where it can be that, or the characters that Windows has there.
            return japanese ?? String(bytes: bytes, encoding: .windowsCP1252) ?? latin1(bytes)
        }
        guard let japanese, mayBeBig5(bytes), !japanese.unicodeScalars.contains(where: isHalfWidth),
            japanese.filter(isIdeograph) == guess.filter(isIdeograph)
        else { return latin1(bytes) }
        return japanese
    }

    /// Returns the text of parts of which some are missing, which ZBar puts between zeros; cut characters are
    /// omitted.
    static func parts(_ bytes: [UInt8], guess: String) -> String {
        let guesses = guess.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
        let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
        let texts = parts.enumerated().map { index, part in
            let whole = part.drop { isContinuation($0) }
            let ends = (0...min(3, whole.count)).map { whole.dropLast($0) }
            let utf8 = ends.lazy.compactMap { String(validating: $0, as: UTF8.self) }.first
            return utf8 ?? text(Array(part), guess: guesses.count == parts.count ? guesses[index] : "")
        }
        return texts.filter { !$0.isEmpty }.joined(separator: " … ")
    }

    private static func latin1(_ bytes: [UInt8]) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { (0x80..<0xC0).contains(byte) }

    private static func isIdeograph(_ character: Character) -> Bool {
        character.unicodeScalars.first?.properties.isIdeographic == true
    }

    /// Returns whether it is a character of one byte, which Kanji mode does not have.
    private static func isHalfWidth(_ scalar: Unicode.Scalar) -> Bool { (0xFF61...0xFF9F).contains(scalar.value) }

    /// Returns whether ZBar tries Big5 first.
    private static func mayBeBig5(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while let first = rest.popFirst() {
            guard first >= 0x80 else { continue }
            guard first < 0xFF, let second = rest.popFirst(),
                (0x40...0x7E).contains(second) || (0xA1...0xFE).contains(second)
            else { return false }
        }
        return true
    }
}
