import Basics
import Evaluation
import Foundation
import TestSupport
import Testing

@testable import Harness

/// Commands of a user: what becomes of their pictures when they answer, misbehave and die.
///
/// The tests speak of a command, its answers and its end alone: ``Reader`` is the only place that names types.
@Suite(.tags(.io), .inTurns) struct ReaderTests {
    /// A command, started as a worker starts it; it is ended with the last reference to it.
    private struct Reader: Sendable {
        /// Name and version as the command states them; nil for a command that is started for each picture.
        let name: String?
        let memory: MemoryMeter?
        private let system: any SystemUnderTest

        init(
            each isStartedForEach: Bool = false,
            _ command: String,
            _ environment: [String: String] = [:],
            timeout: Double = 60,
            lanes: Int = 1,
            report: @escaping @Sendable (String) -> Void = { _ in }
        ) throws {
            let command = ReaderCommand(
                line: command,
                environment: environment,
                timeout: timeout,
                startTimeout: 60,
                lanes: lanes,
                report: report
            )
            let loaded = try isStartedForEach ? EachReader.load(command) : LinesReader.load(command)
            (name, memory, system) = (loaded.description["reader"], loaded.memory, loaded.system)
        }

        /// Returns the lines of a picture's text, or "!" and why there is none.
        func read(_ bytes: [UInt8] = [1], name: String = "x") -> String {
            let lines = Result {
                try system.process(bytes, name: name).lines.map(\.text).joined(separator: "|")
            }
            do { return try lines.get() } catch { return "!\(error)" }
        }

        /// Does what follows each reading.
        func conclude() throws {
            var prediction = Prediction(lines: [])
            try system.conclude(&prediction)
        }

        /// Returns the texts of simultaneous readings.
        func texts(_ count: Int) async -> [String] {
            await withTaskGroup(of: String.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        await withCheckedContinuation { continuation in
                            Thread.detachNewThread { continuation.resume(returning: read()) }
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }.sorted()
            }
        }
    }

    /// Runs `body` with a folder, and then finds that no process is left that had it as its variable `FOLDER`.
    private func leavingNothing(_ body: (TemporaryFolder) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try body(folder)
        let mark = Data("FOLDER=\(folder.path)".utf8)
        let deadline = ContinuousClock.now + .seconds(60)
        func left() -> [String] {
            let ids =
                (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.filter { Int($0) != nil }
                ?? []
            return ids.filter { id in
                FileManager.default.contents(atPath: "/proc/\(id)/environ")?.firstRange(of: mark) != nil
            }
        }
        while !left().isEmpty, ContinuousClock.now < deadline { usleep(50_000) }
        #expect(left() == [])
    }

    // MARK: One process for all pictures

    /// A way of a reader to answer: commands of a shell that are done for its picture with the number `$n`, which is its
    /// answer, and what becomes of the pictures.
    struct Way: CustomTestStringConvertible {
        let name: String
        var before = ""
        let forEach: String
        /// Texts, or "!" and the beginning of the reason.
        let answers: [String]
        /// Fewest lines that are reported as no answers.
        var noise = 0

        var testDescription: String { name }

        /// A function that answers the request `$1` with the text `$2` stands before all.
        var script: String {
            """
            answer() { id=${1#*:}; id=${id%%,*}; echo "{\\"id\\": $id, \\"lines\\": [{\\"text\\": \\"$2\\"}]}"; }
            \(before)
            echo '{"ready": {"name": "n"}}'
            n=0
            while read -r line; do
                n=$((n + 1))
                \(forEach)
                answer "$line" "$n"
            done
            """
        }
    }

    private static let killed =
        "!the reader was killed by SIGKILL (9), as the system does when memory runs out"
    private static let late = "!no answer within 3 s"

    private static let ways = [
        Way(name: "answers", forEach: "", answers: ["1", "2", "3"]),
        Way(
            name: "is killed in a reading",
            forEach: "[ $n = 2 ] && kill -9 $$",
            answers: ["1", killed, "1"]
        ),
        Way(
            name: "is killed while a child of it works and has its pipes",
            forEach: "[ $n = 2 ] && { (sleep 0.1; kill -9 $$) & sleep 600; }",
            answers: ["1", killed, "1"]
        ),
        Way(name: "does not answer", forEach: "[ $n = 2 ] && sleep 600", answers: ["1", late, "1"]),
        Way(
            name: "does not answer and ignores SIGTERM",
            before: "trap '' TERM HUP INT",
            forEach: "[ $n = 2 ] && sleep 600",
            answers: ["1", late, "1"]
        ),
        Way(
            name: "starts children and dies",
            forEach: "[ $n = 2 ] && { sleep 600 & sleep 600 & echo last words >&2; exit 3; }",
            answers: ["1", "!the reader exited with code 3; its last output: last words", "1"]
        ),
        Way(
            name: "floods its output",
            before: "yes | head -n 900",
            forEach: "yes | head -n 5000",
            answers: ["1", "2"],
            noise: 10_900
        ),
        Way(
            name: "floods its errors",
            before: "yes | head -n 20000 >&2",
            forEach: "yes | head -n 20000 >&2",
            answers: ["1", "2"]
        ),
        Way(
            name: "prints other lines before and between answers",
            before: "echo loading; echo '[]'; echo '{\"a\": 1}'; echo",
            forEach: "echo page 1; printf '\\0\\0\\n'; echo '{\"id\": NaN'",
            answers: ["1", "2"],
            noise: 7
        ),
        Way(
            name: "answers twice",
            forEach: "answer \"$line\" \"$n\"",
            answers: ["1", "2", "3"],
            noise: 2
        ),
        Way(
            name: "answers for another picture",
            forEach: "[ $n = 2 ] && line='{\"id\":9000,'",
            answers: ["1", late + "; it printed: {\"id\": 9000, ", "1"],
            noise: 1
        ),
        Way(
            name: "answers with another type",
            forEach: "[ $n = 2 ] && { echo '{\"id\": 2, \"lines\": 5}'; continue; }",
            answers: ["1", "!invalid answer: \"lines\": ", "3"]
        ),
        Way(
            name: "closes its output",
            forEach: "[ $n = 2 ] && { exec 1>&-; sleep 600; }",
            answers: ["1", "!the reader closed its standard output", "1"]
        ),
        Way(
            name: "dies, and never starts again",
            before: "if [ -e $FOLDER/dead ]; then echo no memory >&2; exit 9; fi",
            forEach: "[ $n = 2 ] && { touch $FOLDER/dead; exit 3; }",
            answers: [
                "1", "!the reader exited with code 3",
                "!the reader ended before its ready message, with exit code 9; it printed: no memory",
                "!the reader ended before its ready message, with exit code 9; it printed: no memory",
                "!not started again after 3 failed starts: the reader ended before its ready message",
            ]
        ),
    ]

    @Test(arguments: ways) func aReaderCostsItsOwnPictures(way: Way) throws {
        try leavingNothing { folder in
            let noise = Collected<String>()
            let reader = try Reader(way.script, ["FOLDER": folder.path], timeout: 3) { noise.add($0) }
            #expect(reader.name == "n")
            for (number, expected) in way.answers.enumerated() {
                let answer = reader.read()
                let isExpected = expected.hasPrefix("!") ? answer.hasPrefix(expected) : answer == expected
                #expect(isExpected, "picture \(number + 1): \(answer)")
            }
            #expect(noise.values.count >= way.noise)
        }
    }

    /// The end of a process follows its answer, and the next one is started before the next picture.
    @Test func aReaderThatExitsAfterEachPictureReadsAll() throws {
        try leavingNothing { folder in
            let way = Way(
                name: "",
                forEach: "answer \"$line\" $$; echo $$ > $FOLDER/ended; exit 0",
                answers: []
            )
            let reader = try Reader(way.script, ["FOLDER": folder.path])
            let texts = try (0..<3).map { _ in
                let text = reader.read()
                let process = try #require(Int32(text))
                while kill(process, 0) == 0 { usleep(1_000) }
                usleep(100_000)
                try reader.conclude()
                return text
            }
            #expect(Set(texts).count == 3)
        }
    }

    @Test(arguments: [
        // A request that cannot be written, an invalid answer to the only request, and one before it was asked.
        (#"exec 0<&-; echo '{"ready": {}}'; sleep 600"#, "the reader closed its standard input"),
        (
            #"echo '{"ready": {}}'; read -r line; echo '{"id": 1, "lines": NaN}'; sleep 600"#,
            "invalid answer: "
        ),
        (
            #"echo '{"id": 7, "lines": []}'; echo '{"ready": {}}'; read -r line; exit 5"#,
            "the reader exited with code 5"
        ),
    ])
    func readersThatMisbehaveSayHow(script: String, problem: String) throws {
        let answer = try Reader(script).read()
        #expect(answer.hasPrefix("!" + problem), "\(answer)")
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
        #expect(try await Reader(Self.swapped).texts(2) == ["1", "2"])
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
        #expect(try await Set(Reader(script, lanes: 3).texts(3)).count == 3)
    }

    @Test func theMemoryOfAReaderIsThatOfItsProcesses() throws {
        try leavingNothing { folder in
            let reader = try Reader(
                "echo '{\"ready\": {}}'; sleep 600 & sleep 600",
                ["FOLDER": folder.path]
            )
            #expect(reader.name == "without a name")
            #if os(Linux)
            let memory = try #require(reader.memory?.read())
            let (resident, footprint) = (try #require(memory.resident), try #require(memory.footprint))
            #expect(footprint.bytes > 0 && resident.bytes > footprint.bytes)
            #expect(resident.peak >= resident.bytes && footprint.peak >= footprint.bytes)
            #endif
        }
    }

    #if os(Linux)
    /// A shell that starts a child for each picture: it writes 30,000,000 bytes, and holds them for some seconds.
    @Test(arguments: [(0.02, 8), (2, 1)]) func aChildOfOneReadingCounts(_ seconds: Double, readings: Int) throws {
        let script = """
            answer() { id=${1#*:}; echo "{\\"id\\": ${id%%,*}, \\"text\\": \\"x\\"}"; }
            echo '{"ready": {}}'
            while read -r line; do
                python3 -c 'import time; x = b"x" * 30_000_000; time.sleep(\(seconds))'
                answer "$line"
            done
            """
        let reader = try Reader(script)
        let meter = try #require(reader.memory)
        let sampler = MemorySampler { meter.sample() }
        defer { sampler.close() }
        func megabytes() throws -> (now: Double, peak: Double) {
            let footprint = try #require(meter.read()?.footprint)
            return (Double(footprint.bytes) / 1e6, Double(footprint.peak) / 1e6)
        }
        #expect(try megabytes().peak < 5)
        #expect(meter.resetPeak())
        for _ in 0..<readings { #expect(sampler.during { reader.read() } == "x") }
        // Python itself has some 5 MB.
        let after = try megabytes()
        #expect(after.now < 5 && after.peak > 30 && after.peak < 60, "\(after)")
    }
    #endif

    #if os(Linux)
    /// Python that has 60,000,000 bytes of its own, and starts 100 programs, each from a fork of itself.
    @Test func aForkThatStartsAProgramCountsOnce() throws {
        let script = """
            import json, subprocess, sys
            own = b"x" * 60_000_000
            print(json.dumps({"ready": {}}), flush=True)
            for line in sys.stdin:
                for _ in range(100): subprocess.run("true")
                print(json.dumps({"id": json.loads(line)["id"], "text": "x"}), flush=True)
            """
        let folder = try TemporaryFolder()
        try folder.write(script, "forks.py")
        let reader = try Reader("exec python3 \(folder.path)/forks.py")
        let meter = try #require(reader.memory)
        let sampler = MemorySampler { meter.sample() }
        defer { sampler.close() }
        #expect(sampler.during { reader.read() } == "x")
        let peak = try #require(meter.read()?.footprint?.peak)
        #expect(peak > 60_000_000 && peak < 90_000_000, "\(peak)")
    }
    #endif

    /// A Python reader that reads nothing: what the pipe costs at 2 MB.
    @Test func thePipeIsPrinted() throws {
        let script = """
            import json, sys
            print(json.dumps({"ready": {}}), flush=True)
            for line in sys.stdin: print(json.dumps({"id": json.loads(line)["id"], "lines": []}), flush=True)
            """
        let folder = try TemporaryFolder()
        try folder.write(script, "nothing.py")
        let reader = try Reader("exec python3 \(folder.path)/nothing.py")
        let picture = [UInt8](repeating: 7, count: 2_000_000)
        let times = (0..<300).map { _ in
            let start = ContinuousClock.now
            #expect(reader.read(picture, name: "x.jpg") == "")
            return start.duration(to: .now).milliseconds
        }.sorted()
        print(
            "The pipe to a reader costs \(times[150]) ms at P50 and \(times[285]) ms at P95, pictures of 2 MB"
        )
        #expect(times[150] < 100)
    }

    // MARK: A process for each picture

    @Test(arguments: [
        (#"printf '%s\n\n' "$GREETING"; cat {image}; exec 1>&-"#, "hello|a"),
        ("cat", "a"),
        ("printf ' a \\n\\n\\tb'", "a|b"),
        ("kill -KILL $$", "!the command was killed by SIGKILL (9)"),
        (
            "echo first >&2; echo oops >&2; exit 3",
            "!the command exited with code 3; its last output: oops"
        ),
        ("yes", "!the command wrote more than 256 KB of text"),
        ("tr '\\0' x < /dev/zero", "!the command wrote more than 256 KB of text"),
        ("yes | head -n 20000 >&2; echo b", "b"),
        ("trap '' TERM; sleep 600", late),
        ("sleep 600 & sleep 600", late),
        // A child of it has its pipes, with all of its files or without the others.
        ("sleep 600 & echo b", "b"),
        ("python3 -c 'import subprocess; subprocess.Popen([\"sleep\", \"600\"]); print(\"b\")'", "b"),
    ])
    func aCommandIsStartedForEachPicture(command: String, expected: String) throws {
        try leavingNothing { folder in
            let reader = try Reader(
                each: true,
                command,
                ["FOLDER": folder.path, "GREETING": "hello"],
                timeout: 3
            )
            for _ in 0..<(expected == Self.late ? 1 : 2) {
                #expect(reader.read(Array("a\u{C}".utf8), name: "x.jpg") == expected)
            }
        }
    }

    @Test func aFileThatIsUsedAgainHasNothingOfALongerPicture() throws {
        let reader = try Reader(each: true, "cat")
        #expect(reader.read(Array("longer\nthan".utf8)) == "longer|than")
        #expect(reader.read(Array("b".utf8)) == "b")
    }

    #if os(Linux)
    @Test func aCommandReceivesAllSignals() throws {
        #expect(
            try Reader(each: true, "grep SigBlk /proc/self/status").read() == "SigBlk: 0000000000000000"
        )
    }
    #endif
}
