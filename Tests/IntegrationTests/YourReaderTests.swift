import Foundation
import TestSupport
import Testing

private let hasPython = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/python3")
}

/// `--system`: readers of a user, those that misbehave included.
@Suite(.inTurns, .needsProgram, .serialized, .enabled(if: hasPython, "python3 is not installed"))
struct YourReaderTests {
    /// A reader that answers with the text of every picture, and misbehaves as its argument says.
    private static let script = #"""
        import json, os, socket, sys, time
        mode, text = sys.argv[1], sys.argv[2]
        out = os.fdopen(os.dup(1), "wb", buffering=0)
        def say(message): out.write(json.dumps(message).encode() + b"\n")
        def each(count): return reads % count == 0
        if mode == "exits":
            print("no model", file=sys.stderr)
            sys.exit(7)
        if mode == "slow": time.sleep(1.5)
        if mode == "never": time.sleep(600)
        say({"ready": {"name": "Fixture", "version": "1.2"}})
        reads = 0
        for line in sys.stdin:
            request = json.loads(line)
            answer = {"id": request["id"], "lines": [{"text": text, "confidence": 0.5, "quad": [[0, 0], [9, 0], [9, 9], [0, 9]]}],
                      "stages": {"detect": 1.5}, "book": {"title": text, "author": "A", "isbn": None}}
            size = os.path.getsize(request["image"])
            reads += 1
            if size == 0: answer = {"id": request["id"], "error": "empty"}
            if mode == "crash" and each(10):
                print("out of luck", file=sys.stderr, flush=True)
                os._exit(3)
            if mode == "hang" and each(20): time.sleep(600)
            if mode == "junk": out.write(b"loading\n[]\n{\"id\": NaN\n")
            if mode == "twice": say(answer)
            if mode == "other" and each(10): answer["id"] += 1000
            if mode == "long" and each(10):
                for _ in range(100): out.write(b"x" * 1000000)
                continue
            if mode == "types" and each(10): answer["lines"] = 5
            if mode == "closed" and each(10):
                out.close()
                os.close(1)
                time.sleep(600)
            if mode == "fork" and reads == 1 and os.fork() == 0:
                memory = bytearray(os.urandom(1000)) * 60000
                time.sleep(600)
            if mode == "fork": time.sleep(0.05)
            if mode == "network":
                try: socket.socket(socket.AF_INET, socket.SOCK_STREAM)
                except OSError as error: answer = {"id": request["id"], "error": "socket: " + error.strerror}
            if mode == "bytes": out.write(json.dumps(answer).encode().replace(text.encode(), text.encode() + b" \xff") + b"\n")
            else: say(answer)
        """#

    private struct Reading: Decodable {
        struct Prediction: Decodable {
            struct Line: Decodable { let text: String }

            let lines: [Line]
        }

        struct Memory: Decodable {
            struct Level: Decodable { let peak: Int }

            let footprint: Level
            let resident: Level
        }

        let measurement: String
        let outcome: String
        let problem: String?
        let prediction: Prediction?
        let memory: Memory?
    }

    private func withReader(_ count: Int, _ body: (Folder) throws -> Void) throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            let lines = (0..<count).map { TestLabel.line("s\($0)") }
            try folder.write(lines.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            try folder.write(Self.script, to: "reader.py")
            try body(folder)
        }
    }

    private func system(_ name: String, _ settings: String, in folder: Folder, mode: String? = nil) -> [String] {
        ["--system", "\(name),\(settings)=python3 \(folder("reader.py")) \(mode ?? name) '\(TextFixture.text)'"]
    }

    private func run(
        _ folder: Folder,
        _ more: [String],
        out: String = "run",
        environment: [String: String] = [:]
    ) throws -> Program.Outcome {
        try Program.run(
            ["run", "--dataset", folder("set"), "--out", folder(out), "--repetitions", "1", "--warmup", "0"] + more,
            environment: environment
        )
    }

    private func readings(_ folder: Folder, _ path: String = "run/samples.jsonl") throws -> [Reading] {
        try folder.lines(of: path).map { try JSONDecoder().decode(Reading.self, from: Data($0.utf8)) }
    }

    /// Command lines of processes that name the folder.
    private func processes(of folder: Folder) -> [String] {
        let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.filter { Int($0) != nil } ?? []
        return ids.compactMap { id in
            let line = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") ?? Data()
            let text = String(decoding: line, as: UTF8.self)
            return text.contains(folder.path) ? text : nil
        }
    }

    private func expectNoProcess(of folder: Folder) {
        let deadline = ContinuousClock.now + .seconds(60)
        while !processes(of: folder).isEmpty, ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.1) }
        #expect(processes(of: folder) == [])
    }

    @Test("readers that misbehave cost their own pictures, and no run")
    func misbehaviour() throws {
        try withReader(20) { folder in
            let limits = "timeout=60,start-timeout=60"
            let modes = [
                "crash", "junk", "twice", "long", "types", "closed", "fork", "slow", "exits", "bytes",
            ]
            var systems = modes.flatMap { system($0, limits, in: folder) }
            systems += system("hang", "timeout=10,start-timeout=60", in: folder)
            systems += system("other", "timeout=10,start-timeout=60", in: folder)
            systems += system("never", "timeout=5,start-timeout=0.5", in: folder)
            systems += ["--system", "fails,\(limits)=each:echo first >&2; echo oops >&2; exit 3"]
            systems += ["--system", "text,\(limits)=each:cat > /dev/null; echo; echo '\(TextFixture.text)'"]
            systems += ["--system", "endless,\(limits)=each:yes"]
            systems += ["--system", "gone,\(limits)=lines:true; no-such-reader {image}"]
            let outcome = try run(folder, systems)
            // Some of them read nothing.
            #expect(outcome.code == 4, "\(outcome.errors)")
            let output = outcome.output.replacing(#/\s+/#, with: " ")
            #expect(output.contains("exits: 20 of 20 readings failed: the reader ended before its ready message"))
            let byName = Dictionary(grouping: try readings(folder)) { $0.measurement }
            func expect(_ name: String, read: Int, _ outcome: String = "failed", _ problem: String = "") {
                let all = byName[name] ?? []
                let others = all.filter { $0.outcome != "read" }
                #expect(all.count == 20 && all.count - others.count == read, "\(name): \(all.map(\.outcome))")
                for reading in others {
                    #expect(
                        reading.outcome == outcome && reading.problem?.contains(problem) == true,
                        "\(name): \(reading)"
                    )
                }
                for reading in all where reading.outcome == "read" {
                    let text = name == "bytes" ? "\(TextFixture.text) \u{FFFD}" : TextFixture.text
                    #expect(reading.prediction?.lines.map(\.text) == [text], "\(name)")
                }
            }
            expect("crash", read: 18, "failed", "the reader exited with code 3; its last output: out of luck")
            expect("hang", read: 19, "timedOut", "no answer within 10 s")
            expect("junk", read: 20)
            expect("twice", read: 20)
            expect("other", read: 18, "timedOut", "no answer within 10 s")
            expect("long", read: 18, "failed", "the reader wrote a line of more than 16 MB")
            expect("types", read: 18, "failed", "invalid answer: \"lines\": ")
            expect("closed", read: 18, "failed", "the reader closed its standard output")
            expect("fork", read: 20)
            expect("slow", read: 20)
            expect("never", read: 0, "failed", "not ready within 0.5 s")
            expect("exits", read: 0, "failed", "ready message, with exit code 7; it printed: no model")
            expect("gone", read: 0, "failed", "ready message, with exit code 127; it printed: ")
            expect("bytes", read: 20)
            expect("fails", read: 0, "failed", "the command exited with code 3; its last output: oops")
            expect("text", read: 20)
            expect("endless", read: 0, "failed", "the command wrote more than 256 KB of text")
            #if os(Linux)
            let peak = byName["fork"]?.compactMap(\.memory?.footprint.peak).max() ?? 0
            #expect(peak > 60_000_000, "a child's memory counts")
            let other = byName["crash"]?.compactMap(\.memory?.footprint.peak).max() ?? 0
            #expect(other > 1_000_000 && other < 40_000_000)
            // Python's own program and libraries are pages of files.
            #expect(byName["crash"]?.compactMap(\.memory).allSatisfy { $0.resident.peak > $0.footprint.peak } == true)
            expectNoProcess(of: folder)
            #endif
            let details = (try? folder.text(of: "run/report-details.md")) ?? ""
            let report = try folder.text(of: "run/report.md") + details
            #expect(report.contains("reader: Fixture 1.2, as it reports itself"))
            #expect(report.contains("confidences, stages and books are reported by the reader"))
            #expect(report.contains("a line that is not a JSON object: loading”, and 59 more; it was ignored"))
            #expect(report.contains("an answer to no open request"))
            #expect(try folder.text(of: "run/report.html").contains("Fixture 1.2, as it reports itself"))
            #expect(try folder.text(of: "run/samples.jsonl").contains("detect (reported)"))
        }
    }

    @Test("a command that is not there ends the command before anything is measured; compare takes systems")
    func comparison() throws {
        try withReader(6) { folder in
            let missing = try run(folder, ["--system", "mine=no-such-reader --fast"])
            #expect(
                missing.code == 4 && missing.errors.contains("command not found: no-such-reader"),
                "\(missing.errors)"
            )
            #expect(!folder.contains("run/samples.jsonl"))
            let invalid = try run(folder, ["--system", "mine,timeot=4=true"])
            #expect(invalid.code == 2 && invalid.errors.contains("timeot: unknown setting"), "\(invalid.errors)")
            let outcome = try Program.run(
                ["compare", "junk", "types", "--dataset", folder("set"), "--out", folder("out"), "--rounds", "1"]
                    + ["--gate", "latency=off,p95=off,memory=off"]
                    + system("junk", "timeout=60", in: folder) + system("types", "timeout=60", in: folder)
            )
            #expect([0, 1, 3].contains(outcome.code), "\(outcome.errors)")
            for text in [outcome.output, try folder.text(of: "out/comparison.md")] {
                #expect(text.contains("junk (Fixture 1.2, as it reports itself)"), "\(text)")
                #expect(text.contains("unexpected output, such as “a line that is not a JSON object: loading”, and"))
            }
            #expect(try folder.text(of: "out/comparison.html").contains("types (Fixture 1.2, as it reports itself)"))
            #expect(try readings(folder, "out/samples.jsonl").filter { $0.outcome == "read" }.count == 18)
        }
    }

    @Test("a target that cannot be decided, and a gating variant that is skipped, end with 3 and their reason")
    func undecided() throws {
        try withReader(4) { folder in
            func suite(_ targets: String, _ more: String = "") throws -> Program.Outcome {
                try folder.write(
                    """
                    suite: s
                    description: One.
                    datasets: [set]
                    repetitions: 1
                    warm-up: 0
                    variants:
                      - base: system
                        name: mine
                        gates: true
                        settings: {command: 'python3 \(folder("reader.py")) good "\(TextFixture.text)"', timeout: 60}
                    \(more)
                    targets: \(targets)

                    """,
                    to: "s.yaml"
                )
                try? FileManager.default.removeItem(atPath: folder("run"))
                return try Program.run(["run", "--suite", folder("s.yaml"), "--out", folder("run")])
            }
            func text(_ outcome: Program.Outcome) -> String { outcome.output.replacing(#/\s+/#, with: " ") }
            for metric in ["title-read, at-least: 0.9", "character-errors, below: 0.1"] {
                let run = try suite("[{metric: \(metric), category: stylized}]")
                let reason = "no sample of the category stylized was read"
                #expect(run.code == 3 && text(run).contains(reason), "\(run.output)\(run.errors)")
                let gate = try Program.run(["gate", folder("run"), "--baseline", "none", "--junit", folder("j.xml")])
                #expect(gate.code == 3 && text(gate).contains(reason), "\(gate.output)\(gate.errors)")
                #expect(try folder.text(of: "j.xml").contains(reason))
                #expect(try folder.text(of: "run/report.md").contains(reason))
            }
            let missing =
                "  - {base: system, name: gone, gates: true, optional: true, settings: {command: no-such-reader}}"
            let skipped = try suite("[{metric: title-read, at-least: 0}]", missing)
            #expect(skipped.code == 3, "\(skipped.output)\(skipped.errors)")
            #expect(text(skipped).contains("gone gates and was skipped: command not found: no-such-reader"))
            try folder.write("", to: "set/samples.jsonl")
            let empty = try suite("[{metric: title-read, at-least: 0.5}]")
            #expect(empty.code == 2 && !empty.errors.isEmpty, "\(empty.output)\(empty.errors)")
        }
    }

    @Test(
        "a suite takes a system with its settings, environment and matrix, and a run of it resumes and is cut in shards"
    )
    func suite() throws {
        try withReader(4) { folder in
            let suite = """
                suite: mine
                description: A reader of my own.
                datasets: [set]
                repetitions: 1
                warm-up: 0
                variants:
                  - base: system
                    name: "mine-{environment}"
                    settings: {command: 'python3 \(folder("reader.py")) good "$TEXT"', timeout: 60}
                    matrix: {environment: ["TEXT=one", "TEXT=two"]}

                """
            try folder.write(suite, to: "mine.yaml")
            let first = try Program.run(["run", "--suite", folder("mine.yaml"), "--out", folder("run")])
            #expect([0, 3].contains(first.code), "\(first.errors)")
            #expect(
                try Set(readings(folder).map { $0.measurement + $0.prediction!.lines[0].text }) == [
                    "mine-TEXT-oneone", "mine-TEXT-twotwo",
                ]
            )
            let kept = try folder.lines(of: "run/samples.jsonl").prefix(3).joined(separator: "\n") + "\n"
            try folder.write(kept, to: "run/samples.jsonl")
            let resumed = try Program.run(["run", "--resume", folder("run")])
            #expect([0, 3].contains(resumed.code), "\(resumed.errors)")
            #expect(try readings(folder).count == 8)
            for shard in 1...2 {
                let part = try Program.run(
                    ["run", "--suite", folder("mine.yaml"), "--shard", "\(shard)/2", "--out", folder("part\(shard)")]
                )
                #expect(part.code == 0, "\(part.errors)")
            }
            let merged = try Program.run(["merge", folder("part1"), folder("part2"), "--out", folder("merged")])
            #expect([0, 3].contains(merged.code), "\(merged.errors)")
            #expect(try readings(folder, "merged/samples.jsonl").count == 8)
        }
    }

    #if os(Linux)
    @Test("the network is refused on request, and a killed run leaves no process")
    func endsAndNetwork() throws {
        try withReader(2) { folder in
            _ = try run(
                folder,
                system("closed", "network=refused", in: folder, mode: "network")
                    + system("open", "timeout=60", in: folder, mode: "network")
            )
            let outcomes = try readings(folder).map { "\($0.measurement) \($0.outcome) \($0.problem ?? "")" }
            let refused = "closed failed the reader reports: socket: Permission denied"
            #expect(outcomes.sorted() == [refused, refused, "open read ", "open read "])

            let process = Process()
            process.executableURL = URL(filePath: try #require(Program.path))
            process.arguments =
                ["run", "--dataset", folder("set"), "--out", folder("killed"), "--warmup", "0"]
                + system("fork", "timeout=600", in: folder) + system("never", "start-timeout=600", in: folder)
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            try process.run()
            let deadline = ContinuousClock.now + .seconds(120)
            while !processes(of: folder).contains(where: { $0.contains("python3") && $0.contains("never") }),
                ContinuousClock.now < deadline
            {
                Thread.sleep(forTimeInterval: 0.05)
            }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            expectNoProcess(of: folder)
        }
    }
    #endif

    @Test("the examples of the manual run")
    func manual() throws {
        try withReader(3) { folder in
            let root = URL(filePath: #filePath).appending(path: "../../..").standardized
            let manual = try String(contentsOf: root.appending(path: "Docs/YOUR-READER.md"), encoding: .utf8)
            let example = try #require(manual.firstMatch(of: /```python\n([\s\S]*?)```/)?.1)
            #expect(example.split(separator: "\n").count <= 25)
            let each = try #require(manual.firstMatch(of: /--system '(tess=[^']*)'/)?.1)
            try folder.write(String(example), to: "reader.py")
            try folder.write("#!/bin/sh\ntest -s \"$1\" && echo '\(TextFixture.text)'\n", to: "bin/tesseract")
            chmod(folder("bin/tesseract"), 0o755)
            let path = folder("bin") + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
            let outcome = try run(
                folder,
                ["--system", "mine=python3 \(folder("reader.py"))", "--system", String(each)],
                environment: ["PATH": path]
            )
            #expect([0, 3].contains(outcome.code), "\(outcome.errors)")
            #expect(
                try readings(folder).compactMap { $0.prediction?.lines.map(\.text) }
                    == Array(repeating: [TextFixture.text], count: 6)
            )
        }
    }

    @Test("a service is posted the pictures")
    func service() throws {
        try withReader(3) { folder in
            try folder.write(
                #"""
                import json, sys, time
                from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer as HTTPServer
                class Handler(BaseHTTPRequestHandler):
                    def answer(self, status, body):
                        self.send_response(status); self.end_headers(); self.wfile.write(json.dumps(body).encode())
                    def do_GET(self): self.answer(200, {"ready": {"name": "Service", "version": "3"}})
                    def do_POST(self):
                        text = self.rfile.read(int(self.headers["content-length"]))[1:4].decode()
                        if self.path == "/moved":
                            self.send_response(307); self.send_header("location", "file:///etc/passwd"); self.end_headers()
                        elif self.path == "/endless":
                            self.send_response(200); self.send_header("content-length", str(10 ** 10)); self.end_headers()
                            try:
                                while True: self.wfile.write(b" " * 100000)
                            except OSError: pass
                        elif self.path == "/silent":
                            self.send_response(200); self.end_headers(); self.wfile.flush(); time.sleep(600)
                        elif self.path == "/error": self.answer(503, {"error": "no\u001b[2J model"})
                        elif self.path == "/page": self.send_response(200); self.end_headers(); self.wfile.write(b"<html>")
                        elif self.path == "/dropped": self.connection.close()
                        else: self.answer(200, {"lines": [{"text": text}]})
                    def log_message(self, *arguments): pass
                server = HTTPServer(("127.0.0.1", 0), Handler)
                print(server.server_port, flush=True)
                server.serve_forever()
                """#,
                to: "service.py"
            )
            let (service, output) = (Process(), Pipe())
            service.executableURL = URL(filePath: "/usr/bin/env")
            service.arguments = ["python3", folder("service.py")]
            service.standardOutput = output
            try service.run()
            defer { kill(service.processIdentifier, SIGKILL) }
            let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
                .trimmingCharacters(in: .newlines)
            let outcome = try run(folder, ["--system", "service,timeout=60=http://127.0.0.1:\(port)/read"])
            #expect([0, 3].contains(outcome.code), "\(outcome.errors)")
            let records = try readings(folder)
            let texts = records.compactMap { $0.prediction?.lines.map(\.text) }
            #expect(texts == [["PNG"], ["PNG"], ["PNG"]], "\(records)")
            #expect(try folder.text(of: "run/report.md").contains("reader: Service 3, as it reports itself"))

            let problems = [
                "moved": "the service answered 307 without a JSON object",
                "endless": "the service answered more than 16 MB",
                "silent": "no answer within 0.5 s", "error": "the reader reports: no\u{FFFD}[2J model",
                "page": "the service answered 200 without a JSON object: <html>", "dropped": "closed the connection",
            ]
            let systems = problems.keys.flatMap { mode in
                let limit = mode == "silent" ? "0.5" : "60"
                return ["--system", "\(mode),timeout=\(limit)=http://127.0.0.1:\(port)/\(mode)"]
            }
            let bad = try run(folder, ["--limit", "1"] + systems, out: "bad")
            #expect(bad.code == 4, "\(bad.errors)")
            let failed = try readings(folder, "bad/samples.jsonl")
            #expect(failed.count == problems.count)
            for reading in failed {
                let expected = try #require(problems[reading.measurement])
                #expect(reading.problem?.contains(expected) == true, "\(reading)")
            }
        }
    }
}
