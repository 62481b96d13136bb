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
