import Foundation
import TestSupport
import Testing

/// `--system`: readers of a user, those that misbehave included.
@Suite(.tags(.program), .inTurns, .needsProgram, .serialized, .needsPython)
struct YourReaderTests {
    /// A reader that answers with the text of every picture, and misbehaves as its argument says.
    private static let reader = "\(Transcript.folder)/reader.py"

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
            try folder.writeDataset(count)
            try body(folder)
        }
    }

    private func system(_ name: String, _ settings: String, in folder: Folder) -> [String] {
        ["--system", "\(name),\(settings)=python3 \(Self.reader) \(name) '\(TextFixture.text)' \(folder.path)"]
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
            let report = try folder.text(of: "run/report.md")
            #expect(report.contains("reader: Fixture 1.2, as it reports itself"))
            #expect(report.contains("confidences, stages and books are reported by the reader"))
            #expect(report.contains("a line that is not a JSON object: loading”, and 59 more; it was ignored"))
            #expect(report.contains("an answer to no open request"))
            #expect(try folder.text(of: "run/report.html").contains("Fixture 1.2, as it reports itself"))
            #expect(try folder.text(of: "run/samples.jsonl").contains("detect (reported)"))
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
