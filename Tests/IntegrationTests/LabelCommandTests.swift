import Foundation
import SpineReaders
import TestSupport
import Testing

@Suite(
    "spinebench label",
    .inTurns,
    .enabled(
        if: Program.path(of: "spinebench-apps") != nil && ReadingSettings.accurate.problem == nil,
        "no program or no models: run 'make setup'"
    )
)
struct LabelCommandTests {
    private func run(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run(program: "spinebench-apps", arguments)
    }

    @Test("wrong arguments and folders end with their reason, and nothing is labelled")
    func wrongArguments() throws {
        try Folder.with { folder in
            try folder.write(tinyPNG, to: "photos/a.png")
            try folder.write("other", to: "full/notes.txt")
            try folder.write("", to: "broken/proposals.jsonl")
            try folder.write("{\n", to: "broken/labels.jsonl")
            let photos = folder("photos")
            for (arguments, code, words) in [
                ([], 2, "Missing expected argument"), ([folder("nowhere")], 2, "does not exist"),
                ([photos, "--port", "70000"], 2, "Invalid --port 70000"),
                ([photos, photos, "--write"], 2, "Specify --out DIR"),
                ([photos, "--labeller", " "], 2, "Invalid --labeller"),
                ([photos, "--variant", "none"], 2, "none"), ([photos, "--out", folder("full"), "--write"], 2, "full"),
                ([photos, "--out", folder("broken"), "--write"], 2, "labels.jsonl:1: not a record"),
                ([photos, photos, "--out", folder("new"), "--write"], 2, "have one name"),
            ] as [([String], Int32, String)] {
                let call = try run(["label"] + arguments)
                #expect(call.code == code && call.errors.contains(words), "\(arguments): \(call.code) \(call.errors)")
            }
            let call = try run(["label", photos, "--write"])
            #expect(call.code == 0 && call.output.contains("No spine is labelled yet"))
            #expect(folder.contains("photos-dataset/labels.jsonl") && !folder.contains("photos-dataset/dataset.json"))
        }
    }

    @Test("datasets agree with themselves, and datasets of other photos have nothing to compare")
    func agreement() throws {
        try Folder.with { folder in
            let label =
                #"{"id": "1", "image": "a.png", "category": "vertical", "title": "Crow", "transcription": "CROW", "#
                + #""orientation": "cw", "labelled": {"by": "ann", "at": "2026-11-26", "kind": "confirmed", "proposed": "Crow"}}"#
            for (name, picture) in [("one", "a.png"), ("two", "b.png")] {
                try folder.write(tinyPNG, to: "\(name)/\(picture)")
                try folder.write(label.replacing("a.png", with: picture) + "\n", to: "\(name)/samples.jsonl")
            }
            let same = try run(["dataset", "agreement", folder("one"), folder("one")])
            #expect(same.code == 0 && same.output.contains("1 of 1 (100.0 %)"), "\(same.output)\(same.errors)")
            #expect(same.output.contains("1 label made with the proposal in view"))
            let other = try run(["dataset", "agreement", folder("one"), folder("two"), "--json"])
            #expect(other.code == 3 && other.output.contains("\"onlyFirst\""))
            try folder.write(label.replacing("confirmed", with: "guessed") + "\n", to: "one/samples.jsonl")
            let faulty = try run(["dataset", "agreement", folder("one"), folder("two")])
            #expect(faulty.code == 2 && faulty.errors.contains("\"labelled.kind\" is \"guessed\""))
        }
    }
}
