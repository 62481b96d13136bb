import Basics
import Foundation
import TestSupport
import Testing

/// `spinebench dataset view`; `make browser-test` tests the page in a browser.
@Suite(.inTurns, .needsProgram)
struct DatasetViewTests {
    @Test("a dataset becomes one page, named after its folder unless told otherwise")
    func page() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.tiny(), to: "set/a.png")
            try folder.write(TestLabel.line("first") + "\n" + TestLabel.line("second"), to: "set/samples.jsonl")
            let outcome = try Program.run("dataset", "view", folder("set"), "--out", folder("sheet.html"))
            #expect(outcome.code == 0)
            #expect(outcome.output == "\(folder("sheet.html")): 0.0 MB\n")
            #expect(outcome.errors.isEmpty)
            let html = try folder.text(of: "sheet.html")
            #expect(html.contains("2 of 2 pictures"))
            #expect(html.contains("\"id\":\"first\"") && html.contains("\"id\":\"second\""))
            let one = try Program.run("dataset", "view", folder("set"), "--out", folder("one.html"), "--limit", "1")
            #expect(one.code == 0)
            #expect(try !folder.text(of: "one.html").contains("\"id\":\"second\""))
        }
    }

    @Test("a picture that does not decode is told and has a card, and the others are shown")
    func brokenPicture() throws {
        try Folder.with { folder in
            let picture = try TestPicture.tiny()
            try folder.write(picture, to: "a.png")
            try folder.write(Array(picture.dropLast(20)), to: "broken.png")
            let lines = [TestLabel.line("good"), TestLabel.line("bad", image: "broken.png")]
            try folder.write(lines.joined(separator: "\n"), to: "samples.jsonl")
            let outcome = try Program.run("dataset", "view", folder.path, "--out", folder("sheet.html"))
            #expect(outcome.code == 1)
            #expect(outcome.errors.contains("1 fault in the dataset"))
            #expect(outcome.errors.contains("\(folder("samples.jsonl")):2: image broken.png: "))
            #expect(try folder.text(of: "sheet.html").contains("2 of 2 pictures"))
        }
    }

    @Test("faulty labels, wrong options and places that cannot be written are told, and leave no page")
    func refused() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.tiny(), to: "set/a.png")
            try folder.write(TestLabel.line("a", changes: ["category": "\"diagonal\""]), to: "set/samples.jsonl")
            let calls: [([String], String)] = [
                ([], "\"category\" is \"diagonal\""),
                (["--max-side", "8"], "invalid --max-side 8"),
                (["--limit", "0"], "invalid --limit 0"),
            ]
            for (options, message) in calls {
                let outcome = try Program.run(["dataset", "view", folder("set"), "--out", folder("a.html")] + options)
                #expect(outcome.code == 2)
                #expect(outcome.errors.contains(message), "\(outcome.errors)")
                #expect(!folder.contains("a.html"))
            }
            try folder.write(TestLabel.line("a"), to: "set/samples.jsonl")
            let nowhere = try Program.run("dataset", "view", folder("set"), "--out", folder("nowhere/a.html"))
            #expect(nowhere.code == 2)
            #expect(nowhere.errors.contains("\(folder("nowhere/a.html")): cannot be written: "))
        }
    }
}
