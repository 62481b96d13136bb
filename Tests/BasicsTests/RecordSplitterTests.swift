import Testing

@testable import Basics

@Suite struct RecordSplitterTests {
    private func records(_ text: String, _ framing: RecordSplitter.Framing = .table(separator: 0x2C)) -> [String] {
        var splitter = RecordSplitter(framing, from: 0)
        var bytes = Array(text.utf8)
        return bytes.withUnsafeMutableBufferPointer { mutable in
            let bytes = UnsafeBufferPointer(mutable)
            var records: [String] = []
            while let span = splitter.next(1, in: bytes).first {
                let text = String(decoding: bytes[span.range], as: UTF8.self)
                records.append("\(span.line):\(text)\(span.isUnclosed ? "!" : "")")
            }
            return records
        }
    }

    @Test func quotedLineEndsBelongToTheRecord() {
        #expect(records("a,\"b\nc\"\nd\n") == ["1:a,\"b\nc\"", "3:d"])
    }

    @Test func doubledQuotesDoNotEndAField() {
        #expect(records("\"a \"\"b\"\"\n\",c\nd") == ["1:\"a \"\"b\"\"\n\",c", "3:d"])
    }

    @Test func aQuoteInAPlainFieldStandsForItself() {
        #expect(records("9\" disc,b\nc\n") == ["1:9\" disc,b", "2:c"])
    }

    @Test func aQuoteThatIsNeverClosedCostsItsLine() {
        #expect(records("a,\"b\nc\nd") == ["1:a,\"b!", "2:c", "3:d"])
    }

    @Test func blankLinesAreNoRecords() {
        #expect(records("\n \r\na\r\n\n\nb\r\n") == ["3:a", "6:b"])
    }

    @Test func rowsWithoutContentAreNoRecords() {
        #expect(records(",,\n\"\",\"\"\na,\n, ,\n\"\n,b\n") == ["3:a,", "5:\"!", "6:,b"])
    }

    @Test func linesKnowNoQuotes() {
        #expect(records("\"a\nb", .lines) == ["1:\"a", "2:b"])
    }

    private func fields(_ text: String, _ separator: Character = ",") throws -> [[String]] {
        let separator = try #require(separator.asciiValue)
        return try Array(text.utf8).withUnsafeBufferPointer { bytes in
            var splitter = RecordSplitter(.table(separator: separator), from: 0)
            return try splitter.next(100, in: bytes).map { span in
                try TableRow(UnsafeBufferPointer(rebasing: bytes[span.range]), separator: separator).texts()
            }
        }
    }

    @Test(
        "white space around quotes, and curly quotes, are no part of a field",
        arguments: [
            (#""a", "b, c""#, ",", [["a", "b, c"]]), ("\"a\" ,\t\"b\"\t\r\nc,d", ",", [["a", "b"], ["c", "d"]]),
            ("a, \"b\nc\" , d\ne,f,g", ",", [["a", "b\nc", " d"], ["e", "f", "g"]]),
            (#"1; "2,5"; "say ""hi""""#, ";", [["1", "2,5", #"say "hi""#]]),
            ("\"a\"\t\"b\"\t", "\t", [["a", "b", ""]]),
            ("“a, b”,„c“, «d», ”e”", ",", [["a, b", "c", "d", "e"]]), (#""a", "", """#, ",", [["a", "", ""]]),
            // In the middle of a field, quotes of either kind are text.
            (#"9" disc, "B" Is for Burglar"#, ",", [[#"9" disc"#, #" "B" Is for Burglar"#]]),
            ("“B” Is for Burglar,“C”\nd,e", ",", [["“B” Is for Burglar", "C"], ["d", "e"]]),
            ("“a,b\nc”,d", ",", [["“a", "b"], ["c”", "d"]]), (#""“a”""#, ",", [["“a”"]]),
        ]
    )
    func quotes(text: String, separator: Character, expected: [[String]]) throws {
        #expect(try fields(text, separator) == expected)
    }

    @Test(
        "a quote that is never closed and a NUL byte are faults",
        arguments: [
            ("a,\"b", "unclosed"), ("a, \"b", "unclosed"), ("a,\"", "unclosed"), ("a,b\u{0}", "NUL"),
            (#""a" b,c"#, "after the closing quote"),
        ]
    )
    func faults(text: String, reason: String) {
        let fault = #expect(throws: RowFault.self) { try fields(text) }
        #expect(fault?.reason.contains(reason) == true)
    }

    @Test func nothingHasNoRecords() {
        #expect(records("").isEmpty)
    }
}
