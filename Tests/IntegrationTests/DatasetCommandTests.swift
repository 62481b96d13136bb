import Foundation
import Testing

/// `spinebench dataset validate` and `dataset synth`.
@Suite(.needsProgram)
struct DatasetCommandTests {
    @Test("a good dataset is summed up, with its digest")
    func good() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.tiny(), to: "a.png")
            try folder.write(TestLabel.line("a"), to: "samples.jsonl")
            let outcome = try Program.run("dataset", "validate", folder.path)
            #expect(outcome.code == 0)
            #expect(outcome.output.contains("1 spine (1 vertical), 1 legible\nsha256:"))
            #expect(outcome.errors.hasPrefix("warning: \(folder("samples.jsonl")): category vertical has 1 legible spine"))
        }
    }

    @Test("the dataset that comes with the project is good, and is the one that its digest tells of")
    func starter() throws {
        let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let starter = project.appending(path: "Datasets/starter").path
        let outcome = try Program.run("dataset", "validate", starter)
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("78 spines (24 vertical, 24 inverted, 24 stylized, 4 horizontal, 2 mixed)"))
        let digest = try #require(outcome.lines.last)
        let card = try String(contentsOfFile: starter + "/dataset.json", encoding: .utf8)
        #expect(card.contains("\"contentDigest\" : \"\(digest)\""))
    }

    /// Raw JSON for one field (nil: the field is missing), and what is said about it.
    @Test(
        "a faulty field is told with file and line",
        arguments: [
            ("category", "\"diagonal\"", "\"category\" is \"diagonal\"; expected one of vertical, inverted"),
            ("category", nil, "\"category\" is missing"),
            ("orientation", "\"left\"", "\"orientation\" is \"left\"; expected one of upright, cw, ccw, inverted"),
            ("id", "7", "\"id\" is a number; expected text"),
            ("title", "\" \"", "\"title\" is empty"),
            ("title", nil, "\"title\" is missing"),
            ("transcription", "\"\"", "\"transcription\" is empty"),
            ("author", "[]", "\"author\" is a list; expected text"),
            ("legible", "\"yes\"", "\"legible\" is text; expected true or false"),
            ("category", "\"inverse\"", "\"category\" is \"inverse\"; expected one of vertical, inverted, stylized, horizontal, mixed; did you mean \"inverted\"?"),
            ("title", "\"a\\u200B\"", "\"title\" has U+200B"),
            ("isbn", "\"0306406153\"", "\"isbn\" is \"0306406153\", whose check digit"),
            ("language", "\"english\"", "\"language\" is \"english\"; expected an ISO 639 code"),
            ("outline", "[[0, 0], [9, 0], [9, 4], [0, 4]]", "\"outline\" reaches to [9.0, 0.0], outside the picture of 4 × 4"),
            ("quad", "[[0, 0], [1, 0], [1, 1]]", "\"quad\" has 3 points; expected four points [x, y]"),
            ("image", "\"b.png\"", "image \"b.png\" does not exist"),
            ("image", "\"../a.png\"", "\"image\" is \"../a.png\", outside the dataset"),
            ("image", "\"broken.png\"", "image broken.png"),
            ("image", "\"empty.jpg\"", "image empty.jpg"),
            ("image", "\"text.png\"", "image text.png"),
        ] as [(String, String?, String)]
    )
    func faultyField(_ name: String, _ json: String?, _ message: String) throws {
        try Folder.with { folder in
            let picture = try TestPicture.tiny()
            try folder.write(picture, to: "a.png")
            try folder.write(Array(picture.dropLast(20)), to: "broken.png")
            try folder.write("", to: "empty.jpg")
            try folder.write("no picture", to: "text.png")
            let lines = [TestLabel.line("first"), TestLabel.line("second", changes: [name: json])]
            try folder.write(lines.joined(separator: "\n"), to: "samples.jsonl")
            let outcome = try Program.run("dataset", "validate", folder.path)
            #expect(outcome.code == 2)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("1 fault in the dataset"))
            #expect(outcome.errors.contains("\(folder("samples.jsonl")):2: \(message)"), "\(outcome.errors)")
        }
    }

    @Test("all faults are told at once, and a run tells the same before it begins")
    func allFaults() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.tiny(), to: "a.png")
            let good = TestLabel.line("a")
            let bad = TestLabel.line("b", changes: ["category": "\"diagonal\""])
            try folder.write([good, good, bad, "{", "[]"].joined(separator: "\n"), to: "samples.jsonl")
            let calls = [
                ["dataset", "validate", folder.path], ["run", "--dataset", folder.path, "--out", folder("run")],
            ]
            for call in calls {
                let outcome = try Program.run(call)
                let file = folder("samples.jsonl")
                #expect(outcome.code == 2)
                #expect(outcome.errors.contains("4 faults in the dataset"))
                #expect(outcome.errors.contains("\(file):2: id \"a\" was already used in line 1"))
                #expect(outcome.errors.contains("\(file):3: \"category\" is \"diagonal\""))
                #expect(outcome.errors.contains("\(file):4: not valid JSON"))
                #expect(outcome.errors.contains("\(file):5: expected a JSON object, found a list"))
            }
            #expect(!folder.contains("run"))
        }
    }

    @Test("what is no dataset is told as such")
    func noDataset() throws {
        try Folder.with { folder in
            let nowhere = try Program.run("dataset", "validate", folder("nowhere"))
            #expect(nowhere.code == 2)
            #expect(
                nowhere.errors.contains("\(folder("nowhere")): not a folder; expected one with samples.jsonl in it")
            )
            let bare = try Program.run("dataset", "validate", folder.path)
            #expect(bare.code == 2)
            #expect(bare.errors.contains("\(folder("samples.jsonl")): missing or unreadable"))
            try folder.write("\n\n", to: "samples.jsonl")
            let empty = try Program.run("dataset", "validate", folder.path)
            #expect(empty.code == 2)
            #expect(empty.errors.contains("\(folder("samples.jsonl")): no samples"))
        }
    }

    @Test(
        "a dataset.json that does not fit is told",
        arguments: [
            ("{\"name\": 7}", "\"name\""), ("{", "expected an object with \"name\""),
            (
                "{\"name\": \"x\", \"contentDigest\": \"sha256:00\"}",
                "\"contentDigest\" is sha256:00, the files give sha256:"
            ),
        ]
    )
    func faultyManifest(_ json: String, _ message: String) throws {
        try Folder.with { folder in
            try folder.write(TestPicture.tiny(), to: "a.png")
            try folder.write(TestLabel.line("a"), to: "samples.jsonl")
            try folder.write(json, to: "dataset.json")
            let outcome = try Program.run("dataset", "validate", folder.path)
            #expect(outcome.code == 2)
            #expect(outcome.errors.contains(folder("dataset.json")))
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
        }
    }

    @Test("a drawn dataset is a good one, and a folder with something in it is left alone")
    func synth() throws {
        try Folder.with { folder in
            let drawn = try Program.run("dataset", "synth", "--out", folder("set"), "--count", "1", "--seed", "3")
            #expect(drawn.code == 0)
            let checked = try Program.run("dataset", "validate", folder("set"))
            #expect(checked.code == 0)
            let digest = try #require(checked.lines.last)
            #expect(try folder.text(of: "set/dataset.json").contains(digest))
            let again = try Program.run("dataset", "synth", "--out", folder("set"), "--count", "1")
            #expect(again.code == 2)
            #expect(again.errors.contains("\(folder("set")) is not empty"))
        }
    }
}
