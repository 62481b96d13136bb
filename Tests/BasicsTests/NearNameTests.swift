import Basics
import Testing

@Suite struct NearNameTests {
    @Test(
        arguments: [
            ("thraeds", "threads"), ("Threads", "threads"), ("thread", "threads"), ("presicion", "precision"),
            ("fats", "fast"), ("x", nil), ("colour", nil), ("", nil),
        ] as [(String, String?)]
    )
    func slipIsFoundAndAnotherWordIsNot(name: String, expected: String?) {
        #expect(NearName.of(name, among: ["threads", "precision", "fast"]) == expected)
    }
}
