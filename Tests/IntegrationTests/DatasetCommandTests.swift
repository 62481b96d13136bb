import Basics
import Foundation
import Imaging
import TestSupport
import Testing

/// `spinebench dataset validate` and `dataset synth`.
@Suite(.inTurns, .needsProgram)
struct DatasetCommandTests {
    @Test("a good dataset is summed up, with its digest")
    func good() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.tiny(), to: "a.png")
            try folder.write(TestLabel.line("a"), to: "samples.jsonl")
            let outcome = try Program.run("dataset", "validate", folder.path)
            #expect(outcome.code == 0)
            #expect(outcome.output.contains("1 spine (1 vertical), 1 legible\nsha256:"))
            #expect(
                outcome.errors.hasPrefix("warning: \(folder("samples.jsonl")): category vertical has 1 legible spine")
            )
        }
    }

    @Test(
        "the datasets that come with the project are good, and are the ones that their digests tell of",
        arguments: [
            ("spines-1", "240 spines (62 vertical, 62 inverted, 62 stylized, 30 horizontal, 24 mixed)"),
            ("shelves-1", "8 shelves with 84 spines"),
        ]
    )
    func embedded(_ name: String, _ contents: String) throws {
        let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let dataset = project.appending(path: "Datasets/\(name)").path
        let outcome = try Program.run("dataset", "validate", dataset)
        #expect(outcome.code == 0)
        #expect(outcome.output.contains(contents))
        let digest = try #require(outcome.lines.last)
        let card = try String(contentsOfFile: dataset + "/dataset.json", encoding: .utf8)
        #expect(card.contains("\"contentDigest\" : \"\(digest)\""))
    }

    /// Raw JSON for one field (nil: the field is missing), and the reported fault.
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
            (
                "category", "\"inverse\"",
                "\"category\" is \"inverse\"; expected one of vertical, inverted, stylized, horizontal, mixed; did you mean \"inverted\"?"
            ),
            ("title", "\"a\\u200B\"", "\"title\" has U+200B"),
            ("isbn", "\"0306406153\"", "\"isbn\" is \"0306406153\", whose check digit"),
            ("language", "\"english\"", "\"language\" is \"english\"; expected an ISO 639 code"),
            (
                "outline", "[[0, 0], [9, 0], [9, 4], [0, 4]]",
                "\"outline\" reaches to [9.0, 0.0], outside the picture of 4 × 4"
            ),
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
                #expect(outcome.errors.contains("\(file):2: duplicate id \"a\", first used in line 1"))
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
                nowhere.errors.contains("\(folder("nowhere")): not a folder; expected a folder with samples.jsonl")
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
                "\"contentDigest\" is sha256:00, but the files' digest is sha256:"
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

    /// Writes two samples, "a" and "b", with a picture each.
    private func pair(_ folder: Folder, _ name: String, grey: UInt8) throws {
        for (index, id) in ["a", "b"].enumerated() {
            let image = RasterImage(width: 4, height: 8, channels: 1, filledWith: grey + UInt8(index))
            try folder.write(ImageCodec.encodePNG(image), to: "\(name)/\(id).png")
        }
        try folder.write(
            ["a", "b"].map { TestLabel.line($0, image: "\($0).png") + "\n" }.joined(),
            to: "\(name)/samples.jsonl"
        )
    }

    @Test("datasets are merged, divided, counted and digested, and each result is a good dataset")
    func chain() throws {
        try Folder.with { folder in
            try pair(folder, "one", grey: 10)
            try pair(folder, "two", grey: 90)
            let merged = try Program.run("dataset", "merge", folder("one"), folder("two"), "--out", folder("both"))
            #expect(merged.code == 0, "\(merged.errors)")
            #expect(merged.output.hasPrefix("both: 4 spines (4 vertical), 4 legible\nsha256:"))
            #expect(merged.errors.contains("4 names already used and renamed: image \"a.png\" to \"two-a.png\", …"))
            let split = try Program.run(
                ["dataset", "split", folder("both"), "--out", folder("split"), "--shares", "train=0.5,test=0.5"]
            )
            #expect(split.code == 0, "\(split.errors)")
            #expect(split.output.contains("| train | 50.0 % | 2 | 2 (+0.0) | 2 (+0.0) |"))
            #expect(split.output.contains("| test | 50.0 % | 2 | 2 (+0.0) | 2 (+0.0) |"))
            let checked = try Program.run("dataset", "validate", folder("both"), folder("split"))
            #expect(checked.code == 0)
            let digest = try Program.run("dataset", "digest", folder("split"))
            #expect(digest.lines == [checked.lines.last])
            let table = try Program.run("dataset", "stats", folder("one"), folder("split"))
            #expect(table.output.hasPrefix("| count | one | both |\n| --- | ---: | ---: |\n| spines | 2 | 4 |\n"))
            let json = try Program.run("dataset", "stats", folder("one"), "--json")
            #expect(json.lines.count == 1 && json.output.contains("\"samples\":2"))
        }
    }

    @Test("a digest is put into dataset.json, and a change is noticed until it is put there again")
    func digest() throws {
        try Folder.with { folder in
            try pair(folder, "set", grey: 10)
            let written = try Program.run("dataset", "digest", folder("set"), "--write")
            #expect(written.code == 0)
            #expect(try folder.text(of: "set/dataset.json").contains(written.lines[0]))
            try folder.write(folder.text(of: "set/samples.jsonl") + "\n", to: "set/samples.jsonl")
            #expect(try Program.run("dataset", "validate", folder("set")).code == 2)
            let changed = try Program.run("dataset", "digest", folder("set"))
            #expect(changed.lines != written.lines)
            #expect(changed.errors.contains("dataset.json contains \(written.lines[0])"))
            #expect(try Program.run("dataset", "digest", folder("set"), "--write").code == 0)
            #expect(try Program.run("dataset", "validate", folder("set")).code == 0)
        }
    }

    @Test("broken datasets, wrong shares and full folders end with code 2 and the reason")
    func brokenInput() throws {
        try Folder.with { folder in
            try pair(folder, "good", grey: 10)
            try folder.write("{", to: "bad/samples.jsonl")
            for call in [
                ["stats", folder("bad")], ["split", folder("bad"), "--out", folder("o1")],
                ["merge", folder("good"), folder("bad"), "--out", folder("o2")], ["digest", folder("bad"), "--write"],
            ] {
                let outcome = try Program.run(["dataset"] + call)
                #expect(outcome.code == 2)
                #expect(outcome.errors.contains("\(folder("bad"))/samples.jsonl:1: not valid JSON: column 2"))
            }
            #expect(!folder.contains("o1") && !folder.contains("o2") && !folder.contains("bad/dataset.json"))
            for shares in ["train=0.5", "train=0.5,train=0.5", "train", "a=1.5,b=-0.5", ""] {
                let outcome = try Program.run(
                    ["dataset", "split", folder("good"), "--out", folder("o3"), "--shares", shares]
                )
                #expect(outcome.code == 2, "\(shares)")
            }
            let full = try Program.run("dataset", "split", folder("good"), "--out", folder("bad"))
            #expect(full.code == 2 && full.errors.contains("is not empty"))
            let collision = try Program.run(
                ["dataset", "merge", folder("good"), folder("good"), "--out", folder("o4"), "--no-rename"]
            )
            #expect(collision.code == 2 && collision.errors.contains("is also in an earlier dataset"))
            let alone = try Program.run("dataset", "merge", folder("good"), "--out", folder("o5"))
            #expect(alone.code == 2 && alone.errors.contains("at least two datasets"))
        }
    }

    @Test("a dataset of shelves is good, and a reader of spines says that it has nothing to read")
    func shelvesOnly() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.tiny(), to: "a.png")
            try folder.write("{\"image\": \"a.png\", \"books\": [{\"title\": \"T\"}]}", to: "shelves.jsonl")
            let checked = try Program.run("dataset", "validate", folder.path)
            #expect(checked.code == 0 && checked.output.contains(": 1 shelf with 1 spine\n"))
            let run = try Program.run("run", "--dataset", folder.path, "--out", folder("run"), "--variants", "fast")
            #expect(run.code == 2)
            #expect(run.errors.contains("variant fast reads pictures of spines, but no dataset has any"))
        }
    }
}
