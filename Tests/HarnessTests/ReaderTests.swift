import Basics
import Foundation
import TestSupport
import Testing

@testable import Harness

/// Commands of a user as systems, without a run.
@Suite(.tags(.io), .inTurns) struct ReaderTests {
    private func command(_ line: String, timeout: Double = 60) -> ReaderCommand {
        ReaderCommand(line: line, environment: ["GREETING": "hello"], timeout: timeout, startTimeout: 60)
    }

    @Test func aCommandTakesAPathOrItsInput() throws {
        let each = try EachReader.load(command(#"printf '%s\n\n' "$GREETING"; cat {image}; exec 1>&-"#)).system
        #expect(try each.process(Array("a\u{C}".utf8), name: "x.jpg").lines.map(\.text) == ["hello", "a"])
        let input = try EachReader.load(command("cat")).system
        #expect(try input.process(Array("longer\nthan".utf8), name: "x").lines.map(\.text) == ["longer", "than"])
        // A file is used again: nothing of a longer picture is left.
        #expect(try input.process(Array("b".utf8), name: "x").lines.map(\.text) == ["b"])
        #expect(throws: ReaderFailure("the command was killed by SIGKILL (9)")) {
            try EachReader.load(command("kill -KILL $$")).system.process([], name: "x")
        }
    }

    #if os(Linux)
    @Test func aCommandReceivesAllSignals() throws {
        let system = try EachReader.load(command("grep SigBlk /proc/self/status")).system
        #expect(try system.process([], name: "x").lines.map(\.text) == ["SigBlk: 0000000000000000"])
    }
    #endif

    @Test func aCommandThatTakesTooLongIsKilled() throws {
        let system = try EachReader.load(command("sleep 600 & sleep 600", timeout: 0.2)).system
        #expect(throws: WorkerFailure.self) { try system.process([], name: "x") }
    }

    /// A shell that answers two requests in the other order.
    private static let swapped = """
        echo '{"ready": {}}'
        while read -r first && read -r second; do
            for line in "$second" "$first"; do
                id=${line#*:}; id=${id%%,*}
                echo "{\\"id\\": $id, \\"lines\\": [{\\"text\\": \\"$id\\"}]}"
            done
        done
        """

    @Test func answersMayComeInAnyOrder() async throws {
        let system = try LinesReader.load(command(Self.swapped)).system
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    try await withCheckedThrowingContinuation { continuation in
                        Thread.detachNewThread {
                            continuation.resume(with: Result { try system.process([1], name: "x").text })
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts.sorted() == ["1", "2"])
    }

    @Test func groupsKeepTheirFolderAndKillWhatIsLeft() throws {
        let system = try LinesReader.load(command("echo '{\"ready\": {\"name\": \"n\"}}'; sleep 600 & sleep 600"))
        #expect(system.description == ["reader": "n"])
        #if os(Linux)
        let memory = try #require(system.memory?.read())
        let (resident, footprint) = (try #require(memory.resident), try #require(memory.footprint))
        #expect(footprint.bytes > 0 && resident.bytes > footprint.bytes)
        #expect(resident.peak >= resident.bytes && footprint.peak >= footprint.bytes)
        #endif
    }

    @Test(arguments: [
        (#"{"id": 1}"#, "invalid answer: \"lines\" is missing"),
        (#"{"lines": 5}"#, "invalid answer: \"lines\": "),
        (#"{"lines": [{"text": null}]}"#, "text"),
        (#"{"lines": [{"text": "", "confidence": 2}]}"#, "invalid answer: confidence 2.0; expected 0 to 1"),
        (#"{"lines": [{"text": "", "quad": [[0, 0]]}]}"#, "a quad has four corners, not 1"),
        (#"{"lines": [], "stages": {"a": "b"}}"#, "invalid answer: \"stages.a\": "),
        (#"{"lines": [], "book": {}}"#, "invalid answer: \"title\" is missing"),
        (#"{"lines": [], "error": "no\n\u001b[2J"}"#, "the reader reports: no \u{FFFD}[2J"),
        (#"{"id": "1", "lines": []}"#, "invalid answer: \"id\": "),
        (#"{"id": 1.5, "lines": []}"#, "invalid answer: a number does not fit its field"),
        (#"{"id": 1e300, "lines": []}"#, "invalid answer: a number does not fit its field"),
        (#"{"id": 1, "lines": [{"text": "", "confidence": NaN}]}"#, "invalid answer: column 48: "),
        (#"{"id": 1, "lines": [{"text": "", "confidence": "NaN"}]}"#, "invalid answer: \"lines.Index 0.confidence\": "),
        (#"{"lines": [{"text": "", "quad": [[0, 0], [1e308, 0], [1, 1], [0, 1]]}]}"#, "a corner at 1e+308, 0.0"),
        (#"{"lines": [{"text": "", "quad": [[0, 0], [1, 0], [1, 1], [0, -1e7]]}]}"#, "a corner at 0.0, -10000000.0"),
        (#"{"lines": [], "stages": {"a": 1e308}}"#, "stage a of 1e+308 ms"),
        (#"{"lines": [], "stages": {"a": -1}}"#, "stage a of -1.0 ms"),
        (
            #"{"lines": ["# + repeatElement(#"{"text": "a"}"#, count: 200_000).joined(separator: ",") + "]}",
            "more than 256 KB of text"
        ),
        (
            #"{"lines": [], "book": {"title": "\#(String(repeating: "a", count: 300_000))"}}"#,
            "more than 256 KB of text"
        ),
        (#"{"lines": "# + String(repeating: "[", count: 1_000_000) + "}", "nested deeper than 64 levels"),
    ])
    func invalidAnswersNameTheField(json: String, problem: String) throws {
        let answer = try #require(ReaderAnswer(Array(json.utf8)))
        let failure = #expect(throws: ReaderFailure.self) { try answer.prediction() }
        #expect(failure?.description.contains(problem) == true, "\(failure?.description ?? "")")
    }

    @Test(arguments: ["", "[]", "loading", "\0\0", #"{"id": 1"#, "5", #""{}""#])
    func otherLinesAreNoAnswers(line: String) { #expect(ReaderAnswer(Array(line.utf8)) == nil) }

    @Test func textsOfAReaderHaveNoControlCharacters() throws {
        let json =
            #"{"lines": [{"text": "a\u0000b\tc\u001b[31m<b>"}], "stages": {"\u0007": 1}, "book": {"title": "\u009b"}}"#
        let prediction = try #require(ReaderAnswer(Array(json.utf8))).prediction()
        #expect(prediction.text == "a\u{FFFD}b c\u{FFFD}[31m<b>")
        #expect(prediction.answer?.title == "\u{FFFD}")
        #expect(prediction.stages.names == ["\u{FFFD} (reported)"])
        let ready = #"{"ready": {"name": "\u001b]0;x\u0007", "version": "<script>"}}"#
        #expect(ReaderAnswer(Array(ready.utf8))?.reader == "\u{FFFD}]0;x\u{FFFD} <script>")
    }

    /// An answer with the field `book`, be it null, names books; one without it only reads.
    @Test(arguments: [(#", "book": null"#, 0), (#", "book": {"title": "T"}"#, 1), ("", nil)] as [(String, Int?)])
    func aReaderNamesBooksOrNone(field: String, books: Int?) throws {
        let answer = try #require(ReaderAnswer(Array(#"{"lines": []\#(field)}"#.utf8)))
        #expect(try answer.prediction().books?.count == books)
    }

    /// A shell that answers with its own number, when another one has started to read, too.
    @Test func lanesAreProcessesThatReadSideBySide() async throws {
        let folder = try TemporaryFolder()
        let script = """
            echo '{"ready": {}}'
            read -r line; id=${line#*:}; id=${id%%,*}
            touch \(folder.path)/$$
            until [ $(ls \(folder.path) | wc -l) -ge 3 ]; do sleep 0.01; done
            echo "{\\"id\\": $id, \\"lines\\": [{\\"text\\": \\"$$\\"}]}"
            sleep 600
            """
        let system = try LinesReader.load(
            ReaderCommand(line: script, timeout: 60, startTimeout: 60, lanes: 3)
        ).system
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    try await withCheckedThrowingContinuation { continuation in
                        Thread.detachNewThread {
                            continuation.resume(with: Result { try system.process([1], name: "x").text })
                        }
                    }
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(texts.count == 3)
    }

    @Test(arguments: [
        // A request that cannot be written, an invalid answer to the only request, and one before it was asked.
        (#"exec 0<&-; echo '{"ready": {}}'; sleep 600"#, "the reader closed its standard input"),
        (#"echo '{"ready": {}}'; read -r line; echo '{"id": 1, "lines": NaN}'; sleep 600"#, "invalid answer: "),
        (
            #"echo '{"id": 7, "lines": []}'; echo '{"ready": {}}'; read -r line; exit 5"#,
            "the reader exited with code 5"
        ),
    ])
    func readersThatMisbehaveSayHow(script: String, problem: String) throws {
        let system = try LinesReader.load(command(script)).system
        let error = #expect(throws: ReaderFailure.self) { try system.process([1], name: "x") }
        #expect(error?.description.hasPrefix(problem) == true, "\(String(describing: error))")
    }

    /// A Python reader that reads nothing: what the pipe costs at 2 MB.
    @Test func thePipeIsPrinted() throws {
        let script = """
            import json, sys
            print(json.dumps({"ready": {}}), flush=True)
            for line in sys.stdin: print(json.dumps({"id": json.loads(line)["id"], "lines": []}), flush=True)
            """
        let folder = try TemporaryFolder()
        try folder.write(script, "nothing.py")
        let loaded = try LinesReader.load(command("exec python3 \(folder.path)/nothing.py"))
        guard loaded.description["reader"] != nil else { return print("python3 is not installed") }
        let picture = [UInt8](repeating: 7, count: 2_000_000)
        let times = try (0..<300).map { _ in
            let start = ContinuousClock.now
            _ = try loaded.system.process(picture, name: "x.jpg")
            return start.duration(to: .now).milliseconds
        }.sorted()
        print("The pipe to a reader costs \(times[150]) ms at P50 and \(times[285]) ms at P95, pictures of 2 MB")
        #expect(times[150] < 100)
    }
}
