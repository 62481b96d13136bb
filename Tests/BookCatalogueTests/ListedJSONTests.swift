import Basics
import Testing

@testable import BookCatalogue

@Suite struct ListedJSONTests {
    private func parse(_ text: String) throws -> [String: JSONValue] {
        try Array(text.utf8).withUnsafeBufferPointer { try JSONValue.row($0) }
    }

    @Test func everyKindOfValueIsRead() throws {
        let text =
            #" {"a": "x\"\\\/\u00e9\ud83d\ude00", "b": [1, -2.5e3, null], "c": {"name": "n"}, "d": true, "e": []} "#
        let members = try parse(text)
        #expect(members["a"] == .string("x\"\\/é😀"))
        #expect(members["b"]?.texts == ["1", "-2.5e3"])
        #expect(members["c"]?.texts == ["n"])
        #expect(members["d"] == .bool(true))
        #expect(members["e"] == .array([]))
    }

    // ISBNs lose their zeros as numbers, and a line end is not part of a title.
    @Test func numbersAreTheirTextAndLineEndsAreSpaces() throws {
        let members = try parse(#"{"isbn": 0306406152, "title": "A\nB", "isbn": 0}"#)
        #expect(members["isbn"]?.texts == ["0"])
        #expect(try parse(#"{"isbn": 0306406152}"#)["isbn"]?.texts == ["0306406152"])
        #expect(members["title"]?.texts == ["A B"])
    }

    @Test(
        "what is no object is refused",
        arguments: [
            "", "[]", "\"a\"", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1} x", "{\"a\":\"b}",
            "{\"a\":\"\\x\"}",
            "{\"a\":tru}", "{\"a\":[1 2]}", "{a:1}", "{\"a\":\"\\u12\"}",
            String(repeating: "{\"a\":", count: 100) + "1" + String(repeating: "}", count: 100),
            String(repeating: "[", count: 100_000),
        ]
    )
    func refused(text: String) {
        #expect(throws: RowFault.self) { try parse(text) }
    }

    @Test func halfASurrogateIsReplaced() throws {
        #expect(try parse(#"{"a": "\ud83dx"}"#)["a"] == .string("\u{FFFD}x"))
    }
}
