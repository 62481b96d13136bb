import Foundation
import TestSupport
import Testing

/// `spinebench slice` of a stored run.
@Suite(.inTurns, .needsProgram, .serialized)
struct SliceCommandTests {
    @Test("the category that is missed is worse, with and without the dataset")
    func slices() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            let labels = (0..<24).map { number in
                TestLabel.line(
                    "s\(number)",
                    title: number < 8 ? "Quite Another <Book>" : TextFixture.text,
                    changes: ["category": number < 8 ? "\"stylized\"" : "\"vertical\""]
                )
            }
            try folder.write(labels.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            let run = try Program.run(
                [
                    "run", "--dataset", folder("set"), "--out", folder("run"), "--repetitions", "1", "--system",
                    "mine=each:echo '\(TextFixture.text)'",
                ]
            )
            #expect([0, 1, 3].contains(run.code), "\(run.errors)")
            #expect(try folder.text(of: "run/report.md").contains("## Where titles are missed"))

            let slices = try Program.run("slice", folder("run"), "--html", folder("page.html"))
            #expect(slices.code == 0, "\(slices.errors)")
            #expect(
                slices.output.contains(
                    "mine, category stylized: worse, 0 of 8 (0.0 %); all samples: 16 of 24 (66.7 %)."
                )
            )
            let page = try folder.text(of: "page.html")
            #expect(page.components(separatedBy: "data:image/jpeg;base64,").count == 9)
            #expect(page.contains("Quite Another &lt;Book&gt;") && !page.contains("<script"))

            let json = try Program.run("slice", folder("run"), "--json")
            let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
            let measurement = try #require(object?["mine"] as? [String: Any])
            #expect((measurement["slices"] as? [[String: Any]])?.count == 4)

            try folder.write(labels.dropLast().joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            let changed = try Program.run("slice", folder("run"))
            #expect(changed.code == 2 && changed.errors.contains("has changed since it was read"))
            #expect(changed.output.contains("category stylized: worse"))
            let other = try Program.run("slice", folder("run"), "--dataset", folder("set"))
            #expect(other.code == 2 && other.errors.contains("has the digest"))
            try FileManager.default.removeItem(atPath: folder("set"))
            let missing = try Program.run("slice", folder("run"), "--html", folder("page.html"))
            #expect(missing.code == 2 && missing.errors.contains("specify its folder with --dataset"))
            #expect(missing.output == changed.output)
            #expect(try !folder.text(of: "page.html").contains("data:image"))
        }
    }

    @Test("a run that is missing, and a page over an input")
    func wrongArguments() throws {
        try Folder.with { folder in
            let missing = try Program.run("slice", folder("none"))
            #expect(missing.code == 2 && missing.errors.contains("none"))
        }
    }
}
