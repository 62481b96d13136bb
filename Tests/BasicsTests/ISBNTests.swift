import Basics
import Testing

@Suite struct ISBNTests {
    // 0-306-40615-2 is 978-0-306-40615-7 (ISBN Users' Manual's own example of converting).
    @Test(arguments: [
        ("0-306-40615-2", "9780306406157"), ("978-0-306-40615-7", "9780306406157"), ("080442957X", "9780804429573"),
        ("979-10-90636-07-1", "9791090636071"), ("978–0–306–40615–7", "9780306406157"),
    ])
    func isKeptAsThirteenDigits(text: String, digits: String) {
        #expect(ISBN(text)?.digits == digits)
    }

    @Test(arguments: [
        "", "0-306-40615-3", "9780306406158", "1234567890123", "97803064061", "X306406152", "９７８", "979-0-2600-0043-8",
    ])
    func refusesWhatIsNone(text: String) {
        #expect(ISBN(text) == nil)
    }
}

@Suite struct ISBNsOfTextTests {
    // 0-306-40615-2 and 978-0-306-40615-7 are the ISBN Users' Manual's own example.
    @Test(arguments: [
        ("ISBN 978-0-306-40615-7", ["9780306406157"]), ("0306406152", ["9780306406157"]),
        ("x 0-306-40615-2, 9780306406157", ["9780306406157"]), ("080442957X", ["9780804429573"]),
        ("U.S. 499 345 37426-6", []), ("97803064061570", []), ("9780306406158", []), ("", []), ("0 306 40615 3", []),
        // Typed and printed in other ways, on a back cover of several lines, and read with an O.
        ("ISBN-13: 978 0 306 40615 7", ["9780306406157"]), ("isbn-10 0306406152.", ["9780306406157"]),
        ("ISBN10:0-8044-2957-x", ["9780804429573"]), ("978\u{2011}0\u{2013}306\u{A0}40615\u{2212}7", ["9780306406157"]),
        ("978 - 0 - 306 - 40615 - 7", ["9780306406157"]), ("ISBN 978-O-3O6-4O615-7", ["9780306406157"]),
        ("Emma\n€ 9.99 [D]\nISBN 978-0-306-40615-7\n9 780306 406157 >", ["9780306406157"]),
        ("isbn 9790260000438 9798886451740", ["9798886451740"]),
    ])
    func findsThoseWithARightCheckDigit(text: String, digits: [String]) {
        #expect(ISBN.all(in: text).map(\.digits) == digits)
    }

    /// Telephone numbers whose check digit is right by chance; and marks of a book's number.
    @Test(arguments: [
        ("Call 0306406152", false), ("Tel. 030 6406152", false), ("030/6406152 or 0306 406 152", false),
        ("ISBN 0306406152", true), ("no. 0-306-40615-2", true), ("no. 0 306 40615 2", true), (" 0306406152\n", true),
        ("see 080442957X", true), ("see 9780306406157", true),
    ])
    func tenDigitsNeedAMark(text: String, isFound: Bool) {
        #expect(ISBN.all(in: text, marked: true).isEmpty == !isFound)
    }
}
