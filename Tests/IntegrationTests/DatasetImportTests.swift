import Basics
import Foundation
import TestSupport
import Testing

/// `spinebench dataset import` and `dataset export`.
@Suite(.inTurns, .needsProgram)
struct DatasetImportTests {
    @Test("a table becomes a dataset that validates, and says what was guessed")
    func table() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.tiny(), to: "in/a.png")
            try folder.write("Datei;Titel\na.png;Ulysses\n", to: "in/labels.csv")
            let arguments = ["dataset", "import", folder("in"), "--out", folder("out"), "--licence", "CC0-1.0"]
            let refused = try Program.run(arguments)
            #expect(refused.code == 2)
            #expect(refused.errors.contains("labels.csv:1: no picture column among Datei, Titel"))
            #expect(!folder.contains("out"))
            let outcome = try Program.run(arguments + ["--column", "image=Datei", "--column", "title=Titel"])
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.errors.contains("labels.csv: a CSV or TSV table"))
            #expect(outcome.output.contains("image ← Datei") && outcome.output.contains("title ← Titel"))
            #expect(outcome.output.contains("1 orientation guessed"))
            #expect(outcome.lines.last?.hasPrefix("sha256:") == true)
            let valid = try Program.run("dataset", "validate", folder("out"))
            #expect(valid.code == 0 && valid.output.contains("1 spine"))
            #expect(try folder.text(of: "out/CARD.md").contains("licence CC0-1.0"))
        }
    }

    @Test("bad records are refused, or left out and listed when asked to")
    func skipping() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.tiny(), to: "in/a.png")
            try folder.write(
                "{\"file\": \"a.png\", \"text\": \"T\"}\n{\"file\": \"b.png\"}\nnot json\n",
                to: "in/l.jsonl"
            )
            let arguments = ["dataset", "import", folder("in"), "--format", "jsonl", "--out", folder("out")]
            let refused = try Program.run(arguments)
            #expect(refused.code == 2)
            #expect(refused.errors.contains("l.jsonl:2: picture \"b.png\" does not exist"))
            #expect(refused.errors.contains("l.jsonl:3: not valid JSON"))
            #expect(refused.errors.hasSuffix("with --skip-bad.\n"))
            #expect(refused.errors.contains("2 faults in the dataset"))
            let outcome = try Program.run(arguments + ["--skip-bad"])
            #expect(outcome.code == 0)
            #expect(outcome.errors.contains("2 invalid records skipped"))
            #expect(try folder.text(of: "out/CARD.md").contains("2 invalid records:"))
        }
    }

    @Test("an export comes back as the same dataset", arguments: ["coco", "paddleocr"])
    func roundTrip(_ format: String) throws {
        try Folder.with { folder in
            try folder.write(TestPicture.tiny(), to: "set/a.png")
            let lines = "[{\"text\": \"T\", \"quad\": [[0, 0], [3, 0], [3, 2], [0, 2]], \"role\": \"title\"}, \"U\"]"
            try folder.write(TestLabel.line("a", changes: ["title": "null", "lines": lines]), to: "set/samples.jsonl")
            try folder.write("{\"id\": \"s\", \"image\": \"a.png\", \"books\": []}\n", to: "set/shelves.jsonl")
            let export = try Program.run("dataset", "export", folder("set"), "--format", format, "--out", folder("x"))
            #expect(export.code == 0, "\(export.errors)")
            let first = try Program.run("dataset", "import", folder("x"), "--out", folder("y"))
            #expect(first.code == 0, "\(first.errors)")
            #expect(first.output.contains("1 spine and 1 shelf with 0 spines"))
            #expect(
                try Program.run("dataset", "export", folder("y"), "--format", format, "--out", folder("z")).code == 0
            )
            let second = try Program.run("dataset", "import", folder("z"), "--out", folder("w"))
            #expect(first.lines.last == second.lines.last)
            let written = try folder.text(of: "y/samples.jsonl")
            #expect(written.contains("\"text\":\"U\"") && written.contains("\"title\":null"))
        }
    }

    @Test(
        "wrong options are refused",
        arguments: [
            ["--format", "voc"], ["--column", "colour=x"], ["--coordinates", "sideways"], ["--category", "big"],
        ]
    )
    func options(_ options: [String]) throws {
        #expect(try Program.run(["dataset", "import", "/nowhere", "--out", "/nowhere/out"] + options).code == 2)
    }
}
