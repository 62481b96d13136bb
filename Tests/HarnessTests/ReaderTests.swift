import Basics
import Foundation
import TestSupport
import Testing

@testable import Harness

/// Commands of a user as systems, without a run.
@Suite(.inTurns) struct ReaderTests {
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
        #expect(try system.process([], name: "x").lines.map(\.text) == ["SigBlk:\t0000000000000000"])
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
        #expect(memory.residentBytes > 0 && memory.peakBytes >= memory.residentBytes)
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
        (#"{"lines": [], "error": "no"}"#, "the reader reports: no"),
    ])
    func invalidAnswersNameTheField(json: String, problem: String) throws {
        let answer = try #require(ReaderAnswer(Array(json.utf8)))
        let failure = #expect(throws: ReaderFailure.self) { try answer.prediction() }
        #expect(failure?.description.contains(problem) == true, "\(failure?.description ?? "")")
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
