import Foundation
import TestSupport
import Testing

@testable import Harness
@testable import Reports

/// `Reports/FORMAT.md` names the contents of `report.json`.
@Suite(.tags(.unit)) struct ReportFormatTests {
    /// Names whose contents are those of a variant, an engine, a metric or a file, or are explained as a whole.
    private static let free: Set = [
        "settings", "models", "description", "outcomes", "findings", "categories", "values", "times", "counts",
    ]

    @Test(arguments: [false, true])
    func everyFieldOfAReportIsDocumented(namesBooks: Bool) throws {
        let contents = namesBooks ? try TierRun.contents() : GoldenRun.contents(try GoldenRun.result())
        let json = try #require(try RunReports(contents).files()["report.json"])
        let report = try JSONSerialization.jsonObject(with: Data(json))
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Reports/FORMAT.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        let missing = Self.names(in: report).filter { !text.contains("`\($0)`") && !text.contains(".\($0)`") }
        // Figures and intervals are explained with examples.
        #expect(missing.subtracting(["value", "absent", "lower", "upper"]) == [])
    }

    /// Texts that spreadsheets take for formulas: OWASP, CSV Injection.
    @Test(arguments: [
        ("=1+2", "'=1+2"), ("+SUM(A1)", "'+SUM(A1)"), ("-x", "'-x"), ("@cmd", "'@cmd"),
        ("=\"a\",b", "\"'=\"\"a\"\",b\""),
        ("\tx", "'\tx"), ("-12.5", "-12.5"), ("+3", "+3"), ("a=b", "a=b"), ("", ""),
    ])
    func noCellIsAFormula(text: String, cell: String) {
        var table = CSVTable(["a", "b"])
        table.add([text, "x"])
        #expect(String(decoding: table.bytes, as: UTF8.self) == "a,b\n\(cell),x\n")
    }

    private static func names(in value: Any) -> Set<String> {
        if let object = value as? [String: Any] {
            return object.reduce(into: Set(object.keys)) { names, entry in
                if !free.contains(entry.key) || entry.value is [Any] { names.formUnion(Self.names(in: entry.value)) }
            }
        }
        return (value as? [Any] ?? []).reduce(into: []) { $0.formUnion(names(in: $1)) }
    }
}
