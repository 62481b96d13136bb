import Foundation
import TestSupport
import Testing

/// Readers of a user that fail: each ends soon, with exit code 4 when nothing was read, and says why first.
@Suite(.inTurns, .needsProgram, .serialized)
struct FailingReaderTests {
    /// A shell that answers every request with the text of the picture.
    static let good = """
        echo '{"ready": {"name": "Good", "version": "1"}}'
        while read -r line; do
            id=${line#*:}; id=${id%%,*}
            echo "{\\"id\\": $id, \\"lines\\": [{\\"text\\": \\"$TEXT\\"}]}"
        done
        """

    private func withSet<Value>(_ count: Int = 3, _ body: (Folder) throws -> Value) throws -> Value {
        try Folder.with { folder in
            try folder.write(TestPicture.tiny(), to: "set/a.png")
            let lines = (0..<count).map { TestLabel.line("s\($0)") }
            try folder.write(lines.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            try folder.write(Self.good, to: "good.sh")
            return try body(folder)
        }
    }

    private func run(_ folder: Folder, _ arguments: [String], out: String = "run") throws -> Program.Outcome {
        try Program.run(
            ["run", "--dataset", folder("set"), "--out", folder(out), "--repetitions", "1", "--warmup", "1"]
                + ["--timeout", "3600"] + arguments,
            environment: ["TEXT": TextFixture.text]
        )
    }

    private func outcomes(_ folder: Folder, _ out: String = "run") throws -> [String] {
        struct Reading: Decodable { let outcome: String }
        return try folder.lines(of: "\(out)/samples.jsonl").map {
            try JSONDecoder().decode(Reading.self, from: Data($0.utf8)).outcome
        }
    }

    private static let hint = " A command for single pictures contains {image}"

    /// A command that answers nothing, with its settings, and what is said of it first.
    ///
    /// Where no `start-timeout` is set, the standard one of two minutes would be in the message if it had been waited
    /// for.
    private static let ways: [(settings: String, command: String, message: String)] = [
        (
            "start-timeout=1", "sleep 600",
            "the reader was not ready within 1 s; it printed nothing.\(hint); another one first prints {\"ready\": {}}"
        ),
        ("", "echo hi", "the reader ended before its ready message; it printed: hi.\(hint)"),
        (
            "", "echo hi; echo no model >&2; exit 7",
            "before its ready message, with exit code 7; it printed: hi.\(hint)"
        ),
        ("", "echo no model >&2; exit 7", "before its ready message, with exit code 7; it printed: no model.\(hint)"),
        ("", "true; no-such-reader", "with exit code 127; it printed: "),
        ("", "kill -9 $$; true", "killed by SIGKILL (9), as the system does when memory runs out"),
        ("", "ulimit -v 100000; head -c 1G /dev/zero | tail; exit 1", "before its ready message, with exit code 1"),
        ("", "http://127.0.0.1:1/read", "the service at http://127.0.0.1:1/read cannot be reached: connection refused"),
        ("start-timeout=1", "while :; do echo nonsense; sleep 0.1; done", "within 1 s; it printed: nonsense."),
        (
            "", "yes",
            "the reader printed a line that is not an answer: y (print what is not an answer to standard error)"
        ),
        ("start-timeout=1", "yes >&2", "the reader was not ready within 1 s; it printed: y."),
        ("", #"tr '\0' x < /dev/zero"#, "the reader wrote a line of more than 16 MB"),
        ("start-timeout=1", "cat", "the reader was not ready within 1 s; it printed nothing."),
        (
            "", #"printf '\033[32m{"ready": {}}\033[0m\n'; sleep 600"#,
            "not an answer: \u{FFFD}[32m{\"ready\": {}}\u{FFFD}[0m (it has colours (ANSI sequences)"
        ),
        (
            "", #"echo '2026-01-01 INFO {"ready": {}}'; sleep 600"#,
            "not an answer: 2026-01-01 INFO {\"ready\": {}} (the JSON stands alone on its line"
        ),
        (
            "", #"printf '\r10%%\r100%%{"ready": {}}\n'; sleep 600"#,
            "not an answer: 10% 100%{\"ready\": {}} (the JSON stands"
        ),
        ("", #"printf '{\n "ready": {\n }\n}\n'; sleep 600"#, "not an answer: { (each message is JSON on one line"),
        ("", #"echo "{'ready': {}}"; sleep 600"#, "not an answer: {'ready': {}} (it is Python's own form"),
        (
            "", #"echo '{"ready": {"name": None}}'; sleep 600"#,
            "not an answer: {\"ready\": {\"name\": None}} (invalid answer: "
        ),
        ("", #"echo '{"ready": true}'; sleep 600"#, "not an answer: {\"ready\": true} (invalid answer: "),
        ("", #"printf '{\0"\0r\0e\0a\0d\0y\0"\0:\0{\0}\0}\0\n'; sleep 600"#, "(it is UTF-16: print UTF-8)"),
        ("", "each:sh -c 'exit 3'", "the command exited with code 3"),
        ("start-timeout=1,timeout=0.5", "each:sleep 600", "nothing was read within 1 s: no answer within 0.5 s"),
        (
            "start-timeout=2,timeout=1", #"echo '{"ready": {}}'; while read -r line; do echo nonsense; done"#,
            "nothing was read within 2 s: no answer within 1 s; it printed: nonsense"
        ),
        ("", #"echo '{"ready": {}}'; read -r line; kill -9 $$"#, "the reader was killed by SIGKILL (9)"),
        (
            "", #"echo '{"ready": {}}'; while read -r line; do printf '{\n"lines": [],\n"id": 1\n}\n'; done"#,
            "the reader printed a line that is not an answer: { (each message is JSON on one line"
        ),
    ]

    @Test("a reader that reads nothing ends with exit code 4, and the first line says why", arguments: ways.indices)
    func nothingRead(number: Int) throws {
        let way = Self.ways[number]
        try withSet { folder in
            let settings = way.settings.isEmpty ? "" : "," + way.settings
            let outcome = try run(folder, ["--system", "mine\(settings)=\(way.command)"])
            #expect(outcome.code == 4, "\(outcome.errors)")
            let first = outcome.output.prefix { $0 != "\n" }
            #expect(first.hasPrefix("3 of 3 readings failed: ") && first.contains(way.message), "\(first)")
            #expect(try outcomes(folder).allSatisfy { $0 != "read" } && outcomes(folder).count == 3)
            // No share of titles is shown anywhere.
            let report = try folder.text(of: "run/report.md")
            #expect(report.contains("❌ 3 of 3 readings failed: ") && report.contains("| nothing read |"))
            for line in (report + outcome.output).split(separator: "\n") where line.lowercased().contains("title") {
                #expect(!line.contains("0.0 %"), "\(line)")
            }
            #expect(try folder.text(of: "run/report.html").contains("\"failures\":[\"3 of 3 readings failed: "))
        }
    }

    @Test("a service that accepts connections and answers nothing is not ready")
    func hangingService() throws {
        try withSet { folder in
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(listener) }
            var address = sockaddr_in()
            (address.sin_family, address.sin_addr.s_addr) = (sa_family_t(AF_INET), UInt32(0x7F00_0001).bigEndian)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let port = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    #expect(bind(listener, pointer, size) == 0 && listen(listener, 8) == 0)
                    getsockname(listener, pointer, &size)
                }
                return UInt16(bigEndian: pointer.pointee.sin_port)
            }
            let service = "http://127.0.0.1:\(port)/"
            let outcome = try run(folder, ["--system", "mine,start-timeout=1=\(service)"])
            #expect(outcome.code == 4, "\(outcome.errors)")
            let expected = "3 of 3 readings failed: the service at \(service) does not answer: no answer within 1 s"
            #expect(outcome.output.hasPrefix(expected), "\(outcome.output)")
            #expect(try folder.text(of: "run/report.md").contains("not decided: each picture is sent to \(service)"))
        }
    }

    @Test("a reader that dies after ten readings has ten of them, and the rest count as failures")
    func diesLater() throws {
        try withSet(14) { folder in
            let script = """
                if [ -e \(folder("dead")) ]; then echo no memory >&2; exit 9; fi
                echo '{"ready": {}}'; count=0
                while read -r line; do
                    count=$((count + 1))
                    # The first picture is a warm-up.
                    if [ $count -gt 11 ]; then touch \(folder("dead")); exit 3; fi
                    id=${line#*:}; id=${id%%,*}
                    echo "{\\"id\\": $id, \\"lines\\": [{\\"text\\": \\"$TEXT\\"}]}"
                done
                """
            try folder.write(script, to: "dies.sh")
            let outcome = try run(folder, ["--system", "mine=sh \(folder("dies.sh"))"])
            #expect(outcome.code != 4, "\(outcome.errors)")
            #expect(
                outcome.output.hasPrefix(
                    "4 of 14 readings failed: mostly the reader ended before its ready message, with "
                )
            )
            let all = try outcomes(folder)
            #expect(
                all.prefix(10).allSatisfy { $0 == "read" } && all.suffix(4) == ["failed", "failed", "failed", "failed"]
            )
            #expect(outcome.output.contains("71.4"), "10 of 14: \(outcome.output)")
        }
    }

    @Test("byte order marks are no text: of a line, of an answer, of the output of a command")
    func byteOrderMarks() throws {
        try withSet { folder in
            let marked = Self.good.replacing("echo ", with: #"printf '\357\273\277'; echo "#)
            try folder.write(marked, to: "marked.sh")
            let wide = Data("\u{FEFF}\(TextFixture.text)\r\n".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
            try folder.write([UInt8](wide), to: "wide.txt")
            let outcome = try run(
                folder,
                ["--system", "lines=sh \(folder("marked.sh"))", "--system", "wide=each:cat \(folder("wide.txt"))"]
                    + ["--system", #"each=each:printf '\357\273\277%s\r\n' "$TEXT""#]
            )
            #expect([0, 3].contains(outcome.code), "\(outcome.errors)")
            struct Reading: Decodable {
                struct Prediction: Decodable {
                    struct Line: Decodable { let text: String }

                    let lines: [Line]
                }

                let prediction: Prediction?
            }
            let texts = try folder.lines(of: "run/samples.jsonl").map {
                try JSONDecoder().decode(Reading.self, from: Data($0.utf8)).prediction?.lines.map(\.text)
            }
            #expect(texts == Array(repeating: [TextFixture.text], count: 9))
        }
    }

    @Test("progress says what is waited for, and log lines before the ready message do no harm")
    func waiting() throws {
        try withSet { folder in
            let late = "echo loading the model; sleep 7; sh \(folder("good.sh"))"
            let outcome = try run(folder, ["--system", "mine,start-timeout=600=\(late)"])
            #expect([0, 3].contains(outcome.code), "\(outcome.errors)")
            #expect(outcome.errors.contains(#/waiting for mine's ready message, \d+ s of 600 s/#), "\(outcome.errors)")
            #expect(try outcomes(folder) == ["read", "read", "read"])
            let report = try folder.text(of: "run/report.md")
            #expect(report.contains("what the reader's command sends is not known"))
            #expect(!report.contains("sends nothing by design"))
        }
    }

    @Test("a system is a variant by its name: in run, compare, gate, rerun, with settings, and beside others")
    func variants() throws {
        try withSet { folder in
            let (mine, bad) = ("mine=sh \(folder("good.sh"))", "bad=echo hi")
            struct Stored: Decodable {
                struct Configuration: Decodable {
                    struct Variant: Decodable {
                        let name: String
                        let gates: Bool
                    }

                    let variants: [Variant]
                }

                let configuration: Configuration
            }
            func variants(_ out: String, _ arguments: [String]) throws -> [String] {
                let outcome = try run(folder, arguments, out: out)
                #expect([0, 1, 3].contains(outcome.code), "\(outcome.errors)")
                let data = Data(try folder.text(of: "\(out)/config.json").utf8)
                return try JSONDecoder().decode(Stored.self, from: data).configuration.variants.map {
                    $0.name + ($0.gates ? " gates" : "")
                }
            }
            #expect(try variants("a", ["--system", mine, "--variants", "mine", "--gate", "mine"]) == ["mine gates"])
            #expect(try variants("b", ["--system", mine]) == ["mine"])
            let two = ["--system", mine, "--system", "other=sh \(folder("good.sh"))"]
            #expect(try variants("c", two + ["--variants", "other,mine"]) == ["other", "mine"])
            #expect(try variants("d", two + ["--variants", "other"]) == ["other", "mine"])
            #expect(
                try variants("e", ["--system", mine, "--variants", "mine,timeout=5,mine"]) == [
                    "mine.timeout-5", "mine",
                ]
            )

            let unknown = try run(folder, ["--system", mine, "--variants", "nine"], out: "f")
            #expect(unknown.code == 2 && unknown.errors.contains("unknown variant \"nine\"; did you mean \"mine\"?"))
            let taken = try run(folder, ["--system", "fast=true"], out: "g")
            #expect(taken.code == 2 && taken.errors.contains("fast is a built-in variant; choose another name"))

            // What another variant of the run misses or reads does not hide that one reads nothing.
            let half = try run(folder, ["--system", mine, "--system", bad], out: "h")
            #expect(half.code == 4 && half.output.hasPrefix("bad: 3 of 3 readings failed: the reader ended"))

            let set = ["--dataset", folder("set"), "--rounds", "1", "--gate", "latency=off,p95=off,memory=off"]
            let compared = try Program.run(
                ["compare", "mine", "mine,timeout=5", "--system", mine, "--out", folder("compared")] + set,
                environment: ["TEXT": TextFixture.text]
            )
            #expect([0, 3].contains(compared.code), "\(compared.errors)")
            let failed = try Program.run(
                ["compare", "mine", "bad", "--system", mine, "--system", bad, "--out", folder("failed")] + set
            )
            #expect(failed.code == 4, "\(failed.output)")
            #expect(
                failed.errors.contains("variant \"bad\" cannot run here: the reader ended before its ready message")
            )

            let gate = try Program.run("gate", folder("a"), "--baseline", "none")
            #expect([0, 1, 3].contains(gate.code), "\(gate.errors)")
            let again = try Program.run(
                program: "spinebench-tools",
                ["rerun", folder("a"), "--out", folder("again")],
                environment: ["TEXT": TextFixture.text]
            )
            #expect([0, 3].contains(again.code), "\(again.errors)")
            #expect(try outcomes(folder, "again") == ["read", "read", "read"])
        }
    }

    @Test("~ in an option's value is the home folder, and ./~ a folder of that name")
    func homeFolder() throws {
        try withSet { folder in
            try FileManager.default.createDirectory(atPath: folder("home"), withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: folder("set"), toPath: folder("home/set"))
            try FileManager.default.moveItem(atPath: folder("good.sh"), toPath: folder("home/good.sh"))
            func run(_ arguments: [String]) throws -> Program.Outcome {
                // The program starts in this folder, so that a folder named "~" would be made in it.
                let process = ["-c", "cd \"$0\" && exec \"$@\"", folder.path, try #require(Program.path)] + arguments
                return try shell(process, environment: ["HOME": folder("home"), "TEXT": TextFixture.text])
            }
            let system = ["--system", "mine=sh ~/good.sh", "--repetitions", "1", "--warmup", "0"]
            let first = try run(["run", "--dataset=~/set", "--out=~/runs/a"] + system)
            #expect([0, 3].contains(first.code), "\(first.errors)")
            #expect(folder.contains("home/runs/a/report.md") && !folder.contains("~"))
            // The command's file is part of the settings: it was found.
            #expect(try folder.text(of: "home/runs/a/config.json").contains("\"good.sh\""))
            let report = try run(["report", "~/runs/a", "--out=~/report"])
            #expect([0, 3].contains(report.code) && folder.contains("home/report/report.md"), "\(report.errors)")
            let suite = """
                suite: mine
                description: A reader of my own.
                datasets: [~/set]
                repetitions: 1
                warm-up: 0
                variants: [{base: system, name: mine, settings: {command: sh ~/good.sh}}]

                """
            try folder.write(suite, to: "home/mine.yaml")
            let second = try run(["run", "--suite=~/mine.yaml", "--out", "./~/b"])
            #expect([0, 3].contains(second.code), "\(second.errors)")
            #expect(folder.contains("~/b/report.md") && !folder.contains("home/b"))
            let checked = try run(["dataset", "validate", "~/set"])
            #expect(checked.code == 0, "\(checked.errors)")
        }
    }

    private func shell(_ arguments: [String], environment: [String: String]) throws -> Program.Outcome {
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        process.standardError = errors
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        let problem = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Program.Outcome(
            code: process.terminationStatus,
            output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: problem, as: UTF8.self)
        )
    }
}
