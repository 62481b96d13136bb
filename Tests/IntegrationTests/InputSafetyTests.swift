import Basics
import Foundation
import Imaging
import TestSupport
import Testing

/// No command overwrites its inputs.
@Suite(.inTurns, .needsProgram)
struct InputSafetyTests {
    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    @Test("an output that is an input, by its own name or through a link, is refused, and the input is as it was")
    func outputs() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            try folder.write(TestLabel.line("a") + "\n", to: "set/samples.jsonl")
            try folder.write("title,author\nWinter Harbour,Ida Bloom\n", to: "books.csv")
            let scanned = try Program.run("scan", folder("set/a.png"), "--library", folder("l.sqlite"))
            #expect(scanned.code == 0, "\(scanned.errors)")
            try FileManager.default.copyItem(atPath: DeviceFixture.log, toPath: folder("log.jsonl"))
            try FileManager.default.copyItem(atPath: DeviceFixture.profile, toPath: folder("phone.json"))
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
            let call = ["devices", "import-trace", DeviceFixture.log, "--out", folder("p.json"), "--device"]
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
