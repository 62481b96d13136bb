import Basics
import Testing

@testable import BookCatalogue

@Suite struct ListedISBNTests {
    @Test(
        "a number is told again",
        arguments: [
            (["978-0-306-40615-7"], "9780306406157"),
            // goodbooks-10k: ten digits without their zero, thirteen as a spreadsheet rounds them.
            (["9.78043902348e+12", "439023483"], "9780439023481"),
            (["9.78043902348E+12"], "9780439023481"),
            // 9780383695659 to twelve digits, by C's printf("%.12g"); 9780383695660…5 have other check digits.
            (["9.78038369566e+12"], "9780383695659"),
            (["9780306406157.0"], "9780306406157"),
            (["0306406152 (pbk.)"], "9780306406157"),
            (["1234; 9780306406157"], "9780306406157"),
            (["9780306406158", "0306406152"], "9780306406157"),
        ]
    )
    func told(fields: [String], digits: String) {
        #expect(ListedISBN.parse(fields)?.digits == digits)
    }

    /// The last one may be 9780306406157 or a number that rounds down to it.
    @Test(
        "what is wrong is none",
        arguments: [
            "", "0", "12345", "9780306406158", "9.7e+11", "e+12", "nan", "9.9e+12", "9.78030640616e+12",
        ]
    )
    func wrong(field: String) {
        #expect(ListedISBN.parse([field]) == nil)
    }

    @Test("some fields only say that there is none", arguments: ["", "0", "NaN", "-", "null", "0.0"])
    func placeholder(field: String) {
        #expect(ListedISBN.isPlaceholder(field))
    }
}
