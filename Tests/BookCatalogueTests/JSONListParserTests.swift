import Testing

@testable import BookCatalogue

@Suite struct JSONListParserTests {
    private func parse(_ text: String) throws -> [String: JSONListValue] {
        try Array(text.utf8).withUnsafeBufferPointer { try JSONListParser.object($0) }
    }

    @Test func everyKindOfValueIsRead() throws {
        let text =
            #" {"a": "x\"\\\/\u00e9\ud83d\ude00", "b": [1, -2.5e3, null], "c": {"name": "n"}, "d": true, "e": []} "#
        let members = try parse(text)
        #expect(members["a"] == .text("x\"\\/é😀"))
        #expect(members["b"]?.texts == ["1", "-2.5e3"])
        #expect(members["c"]?.texts == ["n"])
        #expect(members["d"] == .nothing)
        #expect(members["e"] == .list([]))
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
        #expect(try parse(#"{"a": "\ud83dx"}"#)["a"] == .text("\u{FFFD}x"))
    }
}
