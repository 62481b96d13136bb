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

    @Test func nothingHasNoRecords() {
        #expect(records("").isEmpty)
    }
}
