import Basics
import Testing

/// 0-306-40615-2 is 978-0-306-40615-7 (ISBN Users' Manual's own example); the other numbers are those of printed books.
@Suite struct WrittenISBNTests {
    @Test(
        "a number is found in what a list has of it",
        arguments: [
            // Goodreads, The StoryGraph, LibraryThing, Calibre.
            ("=\"9780441172719\"", "9780441172719"), ("=\"080442957X\"", "9780804429573"),
            ("[0441172717]", "9780441172719"), ("goodreads:234225,isbn:9780060853983", "9780060853983"),
            ("mobi-asin:B00ABCDEFG,isbn:080442957X", "9780804429573"), ("9780441172719, 0441172717", "9780441172719"),
            ("0060853980|9780060853983", "9780060853983"),
            // Dashes of Unicode: hyphen, no-break hyphen, en dash, minus; spaces; digits of full width; marks of
            // direction.
            ("978‐0‐306‐40615‐7", "9780306406157"), ("978‑0‑306‑40615‑7", "9780306406157"),
            ("978–0–306–40615–7", "9780306406157"), ("978−0−306−40615−7", "9780306406157"),
            ("978\u{A0}0\u{2009}306\u{A0}40615\u{A0}7", "9780306406157"),
            ("\u{202A}9780306406157\u{202C}", "9780306406157"),
            ("９７８０３０６４０６１５７", "9780306406157"), ("0-8044-2957-ｘ", "9780804429573"),
            ("978\u{AD}0306406157", "9780306406157"),
            // Names before it, as in URNs (RFC 8254), on covers and in catalogues.
            ("urn:isbn:9780306406157", "9780306406157"), ("URN:ISBN:0-306-40615-2", "9780306406157"),
            ("ISBN 978-0-306-40615-7", "9780306406157"), ("ISBN-13: 978-0-306-40615-7", "9780306406157"),
            ("ISBN-10 0-306-40615-2 (pbk.)", "9780306406157"), ("ISBN9780306406157", "9780306406157"),
            ("ISBN13:9780306406157", "9780306406157"), ("ISBN: 978 0 306 40615 7", "9780306406157"),
            ("(ISBN-10) 0306406152; (ISBN-13) 9780306406157", "9780306406157"),
            ("https://www.example.org/isbn/9780306406157/", "9780306406157"),
            ("0306406152 (pbk.)", "9780306406157"), ("1234; 9780306406157", "9780306406157"),
            // Numbers changed by a spreadsheet.
            ("'9780306406157", "9780306406157"), ("\"9780306406157\"", "9780306406157"),
            ("=9780306406157", "9780306406157"), ("9780306406157.0", "9780306406157"),
            ("9780306406157.00", "9780306406157"), ("9,780,306,406,157", "9780306406157"),
            ("9.780.306.406.157", "9780306406157"), ("439023483", "9780439023481"), ("80442957X", "9780804429573"),
            ("306406152.0", "9780306406157"), ("4.39023483E+08", "9780439023481"),
            // Twelve digits of thirteen: 9780439023481 by C's printf("%.12g").
            ("9.78043902348e+12", "9780439023481"), ("9,78043902348E+12", "9780439023481"),
            ("9.78043902348E+012", "9780439023481"),
            // 9780383695659 to twelve digits; 9780383695660…5 have other check digits.
            ("9.78038369566e+12", "9780383695659"),
            // Thirteen are all.
            ("9.780306406157E+12", "9780306406157"),
            ("979-10-90636-07-1", "9791090636071"),
        ]
    )
    func isFound(field: String, digits: String) {
        #expect(WrittenISBN(field) == ISBN(digits).map(WrittenISBN.isbn))
    }

    @Test(
        "what is meant to be one and is none is wrong",
        arguments: [
            "12345", "9780306406158", "=\"9780306406158\"", "[0306406153]", "isbn:9780306406158", "97803064O6157",
            // Rounded to fewer digits than twelve, or with two numbers that round so (9780306406157 and 9780306406164).
            "9.7e+11", "9.9e+12", "9.78067E+12", "9.7808E+12", "9,78067E+12", "9.7804390234E+12", "9.78030640616e+12",
            "4.39E+08", "9.78E12", "978067E+7",
            // ISMNs: the second is the ISMN Users' Manual's example.
            "979-0-060-11561-5", "9790260000438", "=\"9790260000438\"",
        ]
    )
    func isWrong(field: String) {
        #expect(WrittenISBN(field) == .wrong)
    }

    @Test(
        "some fields say that there is none",
        arguments: [
            "", "0", "NaN", "-", "null", "0.0", "n/a", "=\"\"", "[]", "[ ]", "\"\"", "'", "0000000000000", "no ISBN",
            "isbn:", "ISBN-13:",
            // The StoryGraph's UID, Amazon's number, Calibre's identifiers.
            "7f3e1c52-2b0a-4a40-9c55-0a5d1b1d9e11", "B00ABCDEFG", "B000123456", "mobi-asin:B00ABC",
            "goodreads:234225,google:9Fi-BfAGnooC", "amazon:0306406152", "12345678-1234-4234-8234-123456789012",
        ]
    )
    func isNone(field: String) {
        #expect(WrittenISBN(field) == .none)
    }

    @Test func theFirstRightNumberOfARowCounts() {
        #expect(WrittenISBN(["9.78043902348E+12", "439023483"]).isbn?.digits == "9780439023481")
        #expect(WrittenISBN(["9780306406158", "0306406152"]).isbn?.digits == "9780306406157")
        #expect(WrittenISBN(["9780306406158", ""]) == .wrong)
        #expect(WrittenISBN(["", "=\"\""]) == .none && WrittenISBN([]) == .none)
    }

    /// Ten equal digits have a right check digit, and are not a known number.
    @Test(arguments: ["0000000000", "1111111111", "9999999999", "0-000-00000-0", "0000000000000"])
    func equalDigitsAreNoNumber(text: String) {
        #expect(WrittenISBN(text) == .none)
    }
}
