import Basics
import Foundation
import Imaging
import SpineDatasets
import TestSupport
import Testing

@testable import DatasetExchange

/// Programs that print labels or readings: the project's own, and those of a user that misbehave.
@Suite struct FormatProgramTests {
    private let fixture: ImportFixture

    init() throws {
        fixture = try ImportFixture()
        try fixture.picture("a.png", width: 100, height: 60)
    }

    private func program(_ script: String) throws -> FormatProgram {
        try ImportFixture.program(script, in: fixture.folder)
    }

    private func refusal(_ program: FormatProgram) -> String {
        do { return "\(try fixture.imported("") { $0.format = .program(program) }.samples)" } catch {
            return "\(error)".replacing(fixture.folder.path + "/", with: "")
        }
    }

    @Test func whatAProgramPrintsIsImported() throws {
        let region =
            #"{"text": " T\n1 ", "role": "title", "points": [[1, 1], [9, 1], [9, 5], [1, 5]], "ordered": true}"#
        let line =
            #"{"image": "a.png", "line": 7, "fields": {"language": "de", "nothing": 1}, "lines": [\#(region)], "notes": {"strayLine": 2}}"#
        let program = try program("cat <<'END'\n\u{FEFF}\(line)\n\n{\"remark\": \"$1 of one\"}\nEND\n")
        let outcome = try fixture.imported("") { $0.format = .program(program) }
        let sample = try #require(outcome.samples.first)
        #expect(sample.title == "T 1" && sample.language == "de" && sample.orientation == .upright)
        #expect(sample.lines?.first?.quad == .of(1, 1, 9, 1, 9, 5, 1, 5))
        #expect(outcome.report.notes[.strayLine] == 2 && outcome.report.remarks == ["$1 of one"])
        #expect(try outcome.text(of: "CARD.md").contains("Imported on 2026-01-31 from labels in the format my-format"))
    }

    /// What a program prints, and the error.
    @Test(
        arguments: [
            ("echo loading; echo no model >&2; exit 3", "my-format: line 1 of its output is not JSON (column 1: "),
            ("echo no model >&2; exit 3", "my-format: exited with code 3; its last output: no model"),
            ("kill -SEGV $$", "my-format: was killed by SIGSEGV"),
            ("echo '[]'", "my-format: line 1 of its output is a list; expected a JSON object"),
            (
                "echo; echo '{\"txt\": 1}'",
                "my-format: line 2 of its output has the unknown field \"txt\"; expected fault, "
            ),
            ("true", "source: has no records to import"),
            ("echo '{\"lines\": []}'", "source: has no picture"),
            ("echo '{\"fault\": \"no\", \"file\": \"x.txt\", \"line\": 3}'", "x.txt:3: no"),
            ("echo '{\"fault\": [\"no\", 1], \"record\": 5}'", "source: 5: no\n  source: 5: 1"),
            (
                "echo '{\"image\": \"a.png\", \"notes\": {\"many\": 1}}'",
                "source: unknown note \"many\"; expected one of "
            ),
            (
                "echo '{\"image\": \"a.png\", \"line\": 2, \"lines\": [{\"text\": \"T\", \"points\": [[1, 2]]}]}'",
                "source:2: lines[0]: \"points\" is a list; expected three pairs of numbers or more"
            ),
            (
                "echo '{\"image\": \"a.png\", \"lines\": [{\"txt\": \"T\"}]}'",
                "source: lines[0]: has the unknown field \"txt\"; expected fields, "
            ),
            (
                "echo '{\"image\": \"a.png\", \"spines\": [{\"record\": \"b1\", \"role\": \"x\", \"points\": [[1, 1], [2, 2], [3, 1]]}]}'",
                "source: b1: role \"x\"; expected title, author"
            ),
            (
                "echo '{\"image\": \"a.png\", \"lines\": [{\"points\": [[1, 1], [2, 2], [3, 3]]}]}'",
                "source: the line \"###\": the corners have no area"
            ),
        ]
    )
    func aProgramThatMisbehavesIsNamed(_ script: String, _ expected: String) throws {
        let found = refusal(try program(script))
        #expect(found.contains(expected), "\(found)")
        #expect(!fixture.folder.contains("dataset"))
    }

    @Test func aProgramThatHangsIsKilledAndOneThatIsNoneIsRefused() throws {
        var silent = try program("echo waiting >&2; sleep 600")
        silent.patience = 0.5
        let start = ContinuousClock.now
        let expected =
            "my-format: printed nothing for 0.5 s, and was killed; its last line of standard error: waiting"
        #expect(refusal(silent) == expected)
        #expect(start.duration(to: .now) < .seconds(60))
        try fixture.folder.write("", "no-program")
        #expect(
            refusal(FormatProgram(fixture.folder("no-program"))).contains("no-program: is not an executable program")
        )
    }

    @Test func aProgramOfTheProjectSaysWhatItIsFor() {
        #expect(
            refusal(.named("hocr")).contains("hocr: exited with code 1; its last output: usage: hocr readings SOURCE")
        )
    }
}
