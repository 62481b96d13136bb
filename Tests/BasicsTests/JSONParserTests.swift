import Testing

@testable import Basics

@Suite struct JSONParserTests {
    private func parse(_ text: String) throws(JSONFault) -> JSONValue { try JSONParser.parse(Array(text.utf8)) }

    // Cases based on the "y_" files of "Parsing JSON is a Minefield" (Seriot 2016).
    @Test(
        arguments: [
            ("null", .null), (" \t\r\n true ", .bool(true)), ("false", .bool(false)), ("[]", .array([])),
            ("{}", .object([:])), ("[1 , 2]", .array([.number(1), .number(2)])), ("\"\"", .string("")),
            ("{\"a\":{\"b\":[{}]}}", .object(["a": .object(["b": .array([.object([:])])])])),
            ("{\"\":0}", .object(["": .number(0)])), ("-0", .number(0)), ("0.5", .number(0.5)),
            ("123.456e78", .number(123.456e78)),
            ("1E+2", .number(100)), ("1e-2", .number(0.01)), ("-9007199254740993", .string("-9007199254740993")),
            ("0.1", .number(0.1)), ("54.2", .number(54.2)), ("1e-400", .number(0)),
            ("12345678901234567890", .string("12345678901234567890")),
            ("0.000000000000000000001", .number(1e-21)), ("179769313486231570000e288", .number(1.7976931348623157e308)),
            ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", .string("\"\\/\u{8}\u{C}\n\r\t")),
            ("\"\\u00e9\\u0000\"", .string("é\u{0}")),
            ("\"\\uD834\\udd1e\"", .string("𝄞")), ("\"é€𝄞\\n\"", .string("é€𝄞\n")),
            ("\"\u{7F}\u{2028}\"", .string("\u{7F}\u{2028}")),
        ] as [(String, JSONValue)]
    )
    func whatIsJSONIsParsed(_ text: String, _ expected: JSONValue) throws {
        #expect(try parse(text) == expected)
    }

    @Test(
        arguments: [
            ("9007199254740992", .number(9_007_199_254_740_992)), ("9007199254740993", .string("9007199254740993")),
            ("-1312345678901234567", .string("-1312345678901234567")), ("1e30", .number(1e30)),
            ("12345678901234567.5", .number(12_345_678_901_234_568)), ("0", .number(0)),
            ("1234567890123456789012345", .string("1234567890123456789012345")),
        ] as [(String, JSONValue)]
    )
    func longWholeNumbersAreTheirText(_ text: String, _ expected: JSONValue) throws {
        #expect(try parse("[\(text), 1]") == .array([expected, .number(1)]))
    }

    // Cases based on the "n_" files; columns counted by hand.
    @Test(
        arguments: [
            ("", 1, "expected a value, found the end"), ("  ", 3, "expected a value, found the end"),
            ("nul", 1, "expected null"), ("True", 1, "expected a value, found \"T\""),
            ("[1,]", 4, "expected a value, found \"]\""),
            ("[1", 3, "expected \",\" or \"]\", found the end"), ("[,1]", 2, "expected a value, found \",\""),
            ("{\"a\":1,}", 8, "expected a key in quotation marks, found \"}\""), ("{a:1}", 2, "expected a key"),
            ("{\"a\" 1}", 6, "expected \":\" after a key, found \"1\""), ("{\"a\":}", 6, "expected a value"),
            ("{\"a\":1 \"b\":2}", 8, "expected \",\" or \"}\""), ("{\"a\":1,\"a\":2}", 8, "duplicate key \"a\""),
            ("1 2", 3, "expected the end after the value"), ("[]]", 3, "expected the end"),
            ("'a'", 1, "expected a value"),
            ("01", 2, "a number must not begin with 0"), ("-", 2, "expected a digit"), ("1.", 3, "expected a digit"),
            (".5", 1, "expected a value"), ("+1", 1, "expected a value"), ("1e", 3, "expected a digit"),
            ("1e400", 1, "the number 1e400 is too large"), ("NaN", 1, "expected a value"),
            ("Infinity", 1, "expected a value"),
            ("\"a", 1, "text without an end"), ("\"\\\"", 1, "text without an end"),
            ("\"a\tb\"", 3, "a control character in text; write it as \\u0009"),
            ("\"\\x\"", 3, "an escape that JSON does not have"), ("\"\\u12G4\"", 6, "expected four hexadecimal digits"),
            ("\"\\uD834\"", 3, "half a surrogate pair"), ("\"\\uDD1E\\uD834\"", 3, "half a surrogate pair"),
            ("\"\\uD834\\u0041\"", 3, "half a surrogate pair"), ("// a", 1, "expected a value"),
            ("\u{FEFF}1", 1, "expected a value, found byte 0xEF"),
        ] as [(String, Int, String)]
    )
    func whatIsNotJSONIsToldWithItsPlace(_ text: String, _ column: Int, _ problem: String) {
        do throws(JSONFault) {
            let value = try parse(text)
            Issue.record("\(text) became \(value)")
        } catch {
            #expect(error.column == column)
            #expect(error.problem.hasPrefix(problem), "\(error.problem)")
        }
    }

    @Test(arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]])
    func textHasToBeUTF8(_ bytes: [UInt8]) {
        #expect(throws: JSONFault(column: 2, problem: "text that is not UTF-8")) {
            try JSONParser.parse([0x22] + bytes + [0x22])
        }
        #expect(throws: JSONFault.self) { try JSONParser.parse([0x22, 0x5C, 0x6E] + bytes + [0x22]) }
    }

    @Test func zerosAreNoJSON() {
        #expect(throws: JSONFault(column: 1, problem: "expected a value, found byte 0x00")) {
            try JSONParser.parse([UInt8](repeating: 0, count: 9))
        }
    }

    @Test func nestingEndsBeforeTheStackDoes() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try parse(nested(64))
        #expect(throws: JSONFault(column: 65, problem: "nested deeper than 64 levels")) { try parse(nested(65)) }
        #expect(throws: JSONFault.self) { try parse(String(repeating: "{\"a\":", count: 100_000)) }
    }

    @Test func aNodeKnowsItsPlace() throws {
        let text = "{ \"a\" : [1,\n {\"b\": \"x\"}]}"
        let root = try JSONParser.node(Array(text.utf8), line: 5)
        guard case .mapping(let entries) = root.content, case .list(let elements) = entries()[0].value.content,
            case .mapping(let inner) = elements()[1].content
        else { throw JSONFault(column: 1, problem: "another form") }
        #expect(root.place == .init(line: 5, column: 1) && entries()[0].place == .init(line: 5, column: 3))
        #expect(elements()[0].place == .init(line: 5, column: 10) && elements()[1].place == .init(line: 6, column: 2))
        #expect(inner()[0].value.place == .init(line: 6, column: 8) && inner()[0].value.text == "x")
        #expect(Array(text.utf8)[inner()[0].value.bytes] == Array("\"x\"".utf8)[...])
    }
}
