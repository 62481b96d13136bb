import Basics
import Foundation
import Imaging
import TestSupport
import Testing

/// No command overwrites its inputs.
@Suite(.inTurns, .needsProgram)
struct InputSafetyTests {
    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    @Test("overlays beside the pictures leave the pictures as they were, by links as well")
    func overlays() throws {
        try Folder.with { folder in
            let picture = try TestPicture.line()
            try folder.write(picture, to: "in/a.png")
            try folder.write(picture, to: "in/a.jpg.png")
            // Two names that an overlay would have lead to the picture itself.
            let files = FileManager.default
            try files.createSymbolicLink(
                atPath: folder("in/a.png.overlay.svg"),
                withDestinationPath: folder("in/a.png")
            )
            try files.linkItem(atPath: folder("in/a.png"), toPath: folder("in/a.png-2.overlay.svg"))
            let outcome = try Program.run(
                "read",
                folder("in/a.png"),
                folder("in/a.jpg.png"),
                "--overlay",
                folder("in"),
                "--variant",
                "tesseract",
                "--json"
            )
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(
                try [UInt8](bytes(folder("in/a.png"))) == picture && [UInt8](bytes(folder("in/a.jpg.png"))) == picture
            )
            #expect(outcome.lines[0].contains(folder("in/a.png-3.overlay.svg")))
            #expect(folder.contains("in/a.png-3.overlay.svg") && folder.contains("in/a.jpg.png.overlay.svg"))
        }
    }

    @Test("pictures of one name from two folders get an overlay each, and each is named")
    func sameNames() throws {
        try Folder.with { folder in
            for name in ["one/a.png", "two/a.png", "two/A.PNG"] { try folder.write(TestPicture.line(), to: name) }
            let outcome = try Program.run(
                "read",
                folder("one"),
                folder("two"),
                "--overlay",
                folder("out"),
                "--variant",
                "tesseract"
            )
            #expect(outcome.code == 0)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder("out"))
            #expect(files.count == 3, "\(files)")
            for file in files { #expect(outcome.output.contains("overlay: " + folder("out/\(file)"))) }
        }
    }

    @Test("an output that is an input, by its own name or through a link, is refused, and the input is as it was")
    func outputs() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            try folder.write(TestLabel.line("a") + "\n", to: "set/samples.jsonl")
            try folder.write("title,author\nWinter Harbour,Ida Bloom\n", to: "books.csv")
            let scanned = try Program.run("scan", folder("set/a.png"), "--library", folder("l.sqlite"))
            #expect(scanned.code == 0, "\(scanned.errors)")
            try FileManager.default.copyItem(atPath: DevicesCommandTests.log, toPath: folder("log.jsonl"))
            try FileManager.default.copyItem(atPath: DevicesCommandTests.profile, toPath: folder("phone.json"))
            let files = [
                "set/a.png", "set/samples.jsonl", "books.csv", "l.sqlite", "log.jsonl", "phone.json",
            ]
            let calls: [(file: String, call: (String) -> [String])] = [
                ("books.csv", { ["catalogue", "build", folder("books.csv"), "--out", $0] }),
                ("set/samples.jsonl", { ["catalogue", "build", "--out", $0, "--from-dataset", folder("set")] }),
                ("l.sqlite", { ["library", "export", "--library", folder("l.sqlite"), "--out", $0] }),
                ("set/a.png", { ["dataset", "view", folder("set"), "--out", $0] }),
                ("set/samples.jsonl", { ["dataset", "view", folder("set"), "--out", $0] }),
                ("phone.json", { ["simulate", "--device", folder("phone.json"), "--latency", "2,3", "--csv", $0] }),
                (
                    "log.jsonl",
                    { ["devices", "import-trace", folder("log.jsonl"), "--device", "iPhone 15 Pro", "--out", $0] }
                ),
                ("set/a.png", { ["scan", folder("set/a.png"), "--library", folder("l.sqlite"), "--egress-log", $0] }),
            ]
            let before = try files.map { try bytes(folder($0)) }
            for (index, (file, call)) in calls.enumerated() {
                try FileManager.default.createSymbolicLink(
                    atPath: folder("soft-\(index)"),
                    withDestinationPath: folder(file)
                )
                try FileManager.default.linkItem(atPath: folder(file), toPath: folder("hard-\(index)"))
                for path in [folder(file), folder("soft-\(index)"), folder("hard-\(index)")] {
                    let outcome = try Program.run(call(path))
                    #expect(outcome.code == 2, "\(call(path)): \(outcome.errors)")
                    #expect(outcome.errors.contains("is also an input file"), "\(call(path)): \(outcome.errors)")
                }
            }
            #expect(try files.map { try bytes(folder($0)) } == before)
        }
    }

    @Test("folders that are written to are new: a dataset never goes over another")
    func folders() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            try folder.write(TestLabel.line("a") + "\n", to: "set/samples.jsonl")
            let (set, before) = (folder("set"), try folder.text(of: "set/samples.jsonl"))
            let calls = [
                ["dataset", "split", set, "--out", set], ["dataset", "merge", set, set, "--out", set],
                ["dataset", "export", set, "--format", "coco", "--out", set], ["dataset", "synth", "--out", set],
            ]
            for call in calls {
                let outcome = try Program.run(call)
                #expect(outcome.code == 2 && outcome.errors.contains("not empty"), "\(outcome.errors)")
            }
            #expect(try folder.text(of: "set/samples.jsonl") == before)
        }
    }

    @Test("a profile takes a recording of its device, and the place of no other file")
    func profiles() throws {
        try Folder.with { folder in
            let call = ["devices", "import-trace", DevicesCommandTests.log, "--out", folder("p.json"), "--device"]
            let wrong = try Program.run(call + ["iPhone 12"])
            #expect(wrong.code == 2 && !folder.contains("p.json"))
            #expect(
                wrong.errors.contains(
                    "trace.jsonl:1: \"device\" is \"iPhone16,1\", which is iPhone 15 Pro, not iPhone 12"
                )
            )
            try folder.write("notes", to: "p.json")
            let refused = try Program.run(call + ["iPhone 15 Pro"])
            #expect(refused.code == 2 && refused.errors.contains("is not a profile of iPhone 15 Pro"))
            #expect(try folder.text(of: "p.json") == "notes")
            try FileManager.default.removeItem(atPath: folder("p.json"))
            #expect(try Program.run(call + ["iPhone 15 Pro"]).code == 0)
            let again = try Program.run(call + ["iPhone 15 Pro", "--device-folder", folder(".")])
            #expect(again.code == 0 && again.errors.contains("replacing "), "\(again.errors)")
        }
    }

    @Test("what a folder has besides pictures is counted and told")
    func skipped() throws {
        try Folder.with { folder in
            for name in ["in/a.png", "in/more/b.png", "in/x.jpg/c.png"] {
                try folder.write(TestPicture.line(), to: name)
            }
            // The file is named like the output of 'read --overlay' beside the pictures.
            try folder.write(TestPicture.line(), to: "in/a.png.overlay.svg")
            for name in ["in/a.txt", "in/b.tiff", "in/c"] { try folder.write("x", to: name) }
            let note = "\(folder("in")): skipped: 2 folders, 1 overlay, 3 files that are not pictures\n"
            let read = try Program.run("read", folder("in"), "--json", "--variant", "tesseract")
            #expect(read.code == 0 && read.lines.count == 1 && read.errors.contains(note), "\(read.errors)")
            let scan = try Program.run("scan", folder("in"), "--library", folder("l.sqlite"))
            #expect(scan.errors.contains(note), "\(scan.errors)")
            let none = try Program.run("read", folder("in/more"), "--variant", "tesseract")
            #expect(none.code == 0 && !none.errors.contains("skipped"))
        }
    }

    @Test("a picture that has not the shape of one spine is remarked on, and one that has is not")
    func shelves() throws {
        try Folder.with { folder in
            try folder.write(
                try ImageCodec.encodePNG(.init(width: 400, height: 300, channels: 3, filledWith: 200)),
                to: "s.png"
            )
            try folder.write(TestPicture.line(), to: "a.png")
            let read = try Program.run("read", folder("s.png"), folder("a.png"), "--variant", "tesseract", "--json")
            #expect(read.code == 0 && read.lines[0].contains("\"remark\"") && read.lines[0].contains("400 × 300"))
            #expect(!read.lines[1].contains("\"remark\""))
            let scan = try Program.run("scan", folder("s.png"), "--library", folder("l.sqlite"))
            // Nothing was read and nothing is kept: that is a failure with a name.
            #expect(
                scan.code == 1 && scan.output.contains("use 'spinebench shelf'"),
                "\(scan.output)"
            )
            #expect(scan.output.contains("1 without text or book"))
        }
    }

    @Test("a photo that is scanned again has one draft")
    func drafts() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "a.png")
            try folder.write("title,author\nSummer Rain,Jo Field\nThe Long Road,Al Smith\n", to: "books.csv")
            _ = try Program.run("catalogue", "build", folder("books.csv"), "--out", folder("books.sqlite"))
            try FileManager.default.copyItem(atPath: folder("a.png"), toPath: folder("copy.png"))
            for name in ["a.png", "a.png", "copy.png"] {
                let outcome = try Program.run(
                    "scan",
                    folder(name),
                    "--library",
                    folder("l.sqlite"),
                    "--catalogue",
                    folder("books.sqlite")
                )
                #expect(outcome.code == 0, "\(outcome.errors)")
            }
            let listed = try Program.run("library", "list", "--library", folder("l.sqlite"))
            #expect(listed.output.contains("0 books, 1 draft, 0 scans queued"), "\(listed.output)")
        }
    }
}
