import Basics
import Testing

@testable import CaptureReading

@Suite struct SafeTextTests {
    static let lines: [(text: String, line: String?)] = [
        ("", nil),
        (" \n\t ", nil),
        ("  a \n b\t", "a b"),
        ("a\u{A0}b", "a b"),
        ("a\u{0}b\u{1B}[31m", "a b [31m"),
        // Soft hyphens and places where a word may be broken join, other marks part.
        ("Donau\u{AD}dampf\u{200B}schiff", "Donaudampfschiff"),
        ("a\u{202E}b", "a b"),
        ("a\u{2066}b\u{2069}", "a b"),
        ("\u{FEFF}a", "a"),
        ("a\u{E0041}", "a"),
        // Joiners are needed for scripts and emoji.
        ("👩\u{200D}🚀", "👩\u{200D}🚀"),
    ]

    @Test(arguments: lines) func lineHasNothingThatTurnsOrControls(text: String, line: String?) {
        #expect(SafeText.line(text) == line)
    }

    @Test func lineIsShort() {
        #expect(SafeText.line(String(repeating: "a", count: 600))?.count == 500)
        // One character of a million marks.
        let marked = "a" + String(repeating: "\u{301}", count: 1_000_000)
        #expect((SafeText.line(marked)?.unicodeScalars.count ?? 0) <= 5_000)
    }
}
