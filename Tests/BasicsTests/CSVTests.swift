import Testing

@testable import Basics

@Suite struct CSVTests {
    @Test(arguments: [
        ("a,b\r\n\"c,\"\"d\"\"\ne\",f\n", [["a", "b"], ["c,\"d\"\ne", "f"]]), ("\u{FEFF}a\n\n,\n", [["a"], ["", ""]]),
        ("9\" disc,\"\"\nx,\"", [["9\" disc", ""], ["x", ""]]), ("", []),
    ])
    func rowsAreRead(text: String, expected: [[String]]) {
        var rows: [[String]] = []
        CSV.read(Array(text.utf8)) { rows.append($0) }
        #expect(rows == expected)
    }

    @Test func whatIsWrittenIsReadAgain() {
        let row = ["a", " b", "c\"d", "e,f", "g\nh", ""]
        CSV.read(CSV.line(row).utf8) { #expect($0 == row) }
    }
}
