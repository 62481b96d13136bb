import Basics
import Foundation
import TestSupport
import Testing

/// `spinebench dataset realism`.
@Suite(.inTurns, .needsProgram, .serialized)
struct DatasetRealismTests {
    /// What the JSON report says, as far as the tests look.
    private struct Report: Decodable {
        struct Set: Decodable {
            let name: String
            let spines: Int
        }

        struct Rate: Decodable {
            struct Side: Decodable {
                struct Share: Decodable, Equatable {
                    let successes: Int
                    let trials: Int
                }

                let titleRead: Share
            }

            let variant: String
            let category: String
            let candidate: Side
            let references: [Side]
            let isWithin: Bool?
        }

        struct Statistic: Decodable {
            struct Summary: Decodable {
                let count: Int
            }

            let name: String
            let candidate: Summary
        }

        let candidate: Set
        let references: [Set]
        let rates: [Rate]
        let statistics: [Statistic]
        let problems: [String]
    }

    /// Two datasets whose pictures say `TextFixture.text`: "drawn" with two titles of which one is printed, and "real"
    /// with one, and a spine that nobody can read.
    private func withDatasets(_ body: (Folder) throws -> Void) throws {
        try Folder.with { folder in
            for name in ["drawn", "real"] { try folder.write(TestPicture.line(), to: "\(name)/a.png") }
            let drawn = [TestLabel.line("d0"), TestLabel.line("d1", title: "Zuleika Dobson")]
            let illegible = TestLabel.line("r1", changes: ["legible": "false"])
            try folder.write(drawn.joined(separator: "\n"), to: "drawn/samples.jsonl")
            try folder.write([TestLabel.line("r0"), illegible].joined(separator: "\n"), to: "real/samples.jsonl")
            try body(folder)
        }
    }

    @Test("both sides are read and measured, and only legible spines count")
    func compares() throws {
        try withDatasets { folder in
            let outcome = try Program.run(
                "dataset",
                "realism",
                folder("drawn"),
                "--reference",
                folder("real"),
                "--variants",
                "tesseract",
                "--json",
                "--csv",
                folder("spines.csv")
            )
            #expect(outcome.code == 0, "\(outcome.errors)")
            let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
            #expect(report.candidate.name == "drawn" && report.candidate.spines == 2)
            #expect(report.references.map(\.name) == ["real"] && report.references.map(\.spines) == [1])
            #expect(report.problems.isEmpty)
            let all = try #require(report.rates.first { $0.category == "all" })
            #expect(all.variant == "tesseract")
            #expect(all.candidate.titleRead == .init(successes: 1, trials: 2))
            #expect(all.references.map(\.titleRead) == [.init(successes: 1, trials: 1)])
            #expect(all.isWithin == true)
            // The lines of "accurate", which is not among the variants, say where the text is.
            #expect(report.statistics.first { $0.name == "textHeight" }?.candidate.count == 2)
            let rows = try folder.lines(of: "spines.csv")
            #expect(
                rows.map { $0.split(separator: ",").prefix(2).joined(separator: ",") } == [
                    "set,id", "drawn,d0", "drawn,d1", "real,r0",
                ]
            )
        }
    }

    @Test(
        "what cannot be compared is told",
        arguments: [
            ([], "--reference"),
            (["--reference", "real", "--variants", "fest"], "There is no variant 'fest'; did you mean \"fast\"?"),
            (["--reference", "real", "--variants", ","], "--variants names nothing"),
            (["--reference", "real", "--categories", "odd"], "There is no category 'odd'; there are vertical"),
            (["--reference", "real", "--limit", "0"], "--limit is 0"),
            (["--reference", "real", "--categories", "inverted"], "no legible spine of the chosen categories"),
            (["--reference", "nowhere"], "not a folder"),
        ] as [([String], String)]
    )
    func refuses(_ options: [String], _ message: String) throws {
        try withDatasets { folder in
            let paths = options.map { ["real", "nowhere"].contains($0) ? folder($0) : $0 }
            let outcome = try Program.run(["dataset", "realism", folder("drawn")] + paths)
            #expect(outcome.code == 2)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
        }
    }
}
