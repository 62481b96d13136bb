import Foundation
import TestSupport
import Testing

/// Readers of a user that fail: each ends soon, with exit code 4 when nothing was read, and says why first.
@Suite(.tags(.program), .inTurns, .needsProgram, .serialized)
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
            #expect(try folder.text(of: "run/report.html").contains("3 of 3 readings failed: "))
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
            #expect(try folder.text(of: "run/report.md").contains("each picture is sent to \(service)"))
        }
    }
}
