import Basics
import Foundation
import TestSupport
import Testing

private let openSSLPath = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}

/// `spinebench score`: readings that were made elsewhere.
@Suite(.inTurns, .needsProgram, .serialized)
struct ScoreCommandTests {
    /// Calls `body` with a dataset of 100 labels of one picture; ids are s0 to s99.
    private func withDataset(_ body: (Folder) throws -> Void) throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            let lines = (0..<100).map { TestLabel.line("s\($0)", title: TextFixture.text) }
            try folder.write(lines.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            try body(folder)
        }
    }

    private func score(_ folder: Folder, _ arguments: [String]) throws -> Program.Outcome {
        try Program.run(["score", "--dataset", folder("set")] + arguments)
    }

    private func json(_ folder: Folder, _ name: String) throws -> [String: Any] {
        let data = Data(try folder.text(of: name).utf8)
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func readings(_ header: String? = nil, latency: Double? = nil) -> String {
        let figures = latency.map { ", \"latency\": \($0), \"thermal\": \"fair\", \"battery\": 0.5" } ?? ""
        let lines = (0..<100).map { "{\"sample\": \"s\($0)\", \"text\": \"\(TextFixture.text)\"\(figures)}" }
        return ([header].compactMap(\.self) + lines).joined(separator: "\n") + "\n"
    }

    @Test("readings of a run, scored again, have its accuracy, byte for byte")
    func itself() throws {
        try withDataset { folder in
            let run = [
                "run", "--dataset", folder("set"), "--out", folder("run"), "--variants", "tesseract", "--limit", "4",
                "--repetitions", "2", "--seeds", "1,2", "--warmup", "1",
            ]
            // Too few readings for a P95, in both.
            #expect(try Program.run(run).code == 3)
            let outcome = try score(folder, [folder("run"), "--out", folder("scored")])
            #expect(outcome.code == 3, "\(outcome.errors)")
            for name in ["accuracy.json", "accuracy.csv"] {
                #expect(try folder.text(of: "scored/\(name)") == folder.text(of: "run/\(name)"))
            }
            // A scored run is read as a run.
            let again = try score(folder, ["tesseract=" + folder("scored/samples.jsonl"), "--out", folder("again")])
            #expect(again.code == 3, "\(again.errors)")
            #expect(try folder.text(of: "again/accuracy.json") == folder.text(of: "run/accuracy.json"))
            let compared = try Program.run("compare", folder("run"), folder("scored"), "--out", folder("c"))
            // The same texts are no difference, however few.
            #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
            #expect(try Program.run("run", "--resume", folder("scored")).errors.contains("score their files again"))
        }
    }

    @Test("without times nothing about latency is shown, and nothing unknown is judged")
    func untimed() throws {
        try withDataset { folder in
            try folder.write(readings(), to: "mine.jsonl")
            let outcome = try score(folder, [folder("mine.jsonl"), "--out", folder("run"), "--gate", "mine"])
            #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
            #expect(!outcome.output.contains("Latency"))
            let report = try folder.text(of: "run/report.md")
            #expect(report.contains("PASS") && report.contains("– not judged: not stated in the file"))
            for part in ["## Latency", "## Memory", "## Cold start", "Percentiles are", "Each measurement ran"] {
                #expect(!report.contains(part), "\(part)")
            }
            #expect(!report.contains("read in time") && !report.contains("✅ –") && !report.contains("0.00 ms"))
            let gate = try Program.run("gate", folder("run"), "--baseline", "none")
            #expect(gate.code == 0, "\(gate.output)\(gate.errors)")
            let before = try folder.text(of: "run/report.md")
            #expect(try Program.run("report", folder("run")).code == 0)
            #expect(try folder.text(of: "run/report.md") == before)
        }
    }

    /// 100 readings of 41 ms: enough for a P95, which needs 90, below the 50 ms of the tier `fast` on a phone.
    ///
    /// The recorder's name alone was taken for a measurement before: anybody can write it.
    @Test("a header that names the recorder measures nothing, and gates nothing")
    func evidence() throws {
        try withDataset { folder in
            func header(_ recorder: String) -> String {
                #"{"readings": 1, "device": {"model": "iPhone17,1", "os": "iOS 26.1"}, "recorder": {"name": "\#(recorder)"}}"#
            }
            try folder.write(readings(header("SpineBenchKit"), latency: 41), to: "phone.jsonl")
            try folder.write(readings(header("script"), latency: 61), to: "script.jsonl")
            let options = [
                "--gate", "phone,script", "--tier", "phone=fast", "--tier", "script=fast", "--out", folder("run"),
            ]
            let outcome = try score(folder, [folder("phone.jsonl"), folder("script.jsonl")] + options)
            #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
            let report = try json(folder, "run/report.json")
            let rows = try #require(report["compliance"] as? [[String: Any]])
            func latency(_ name: String) throws -> [String: Any] {
                try #require(
                    rows.first { row in
                        let target = row["target"] as? [String: Any]
                        return row["measurement"] as? String == name && target?["metric"] as? String == "latencyP95"
                            && target?["limit"] as? Double == 50
                    }
                )
            }
            let (forged, reported) = (try latency("phone"), try latency("script"))
            #expect(forged["evidence"] as? String == "reported by a recording" && forged["gates"] as? Bool == false)
            #expect((forged["judgement"] as? [String: Any])?["verdict"] as? String == "pass")
            #expect(
                outcome.errors.contains(
                    "not measured on device: version: absent; app: absent; pictures: line 2: absent"
                )
            )
            #expect(reported["evidence"] as? String == "reported" && reported["gates"] as? Bool == false)
            let text = try folder.text(of: "run/report.md")
            #expect(
                text.contains("iPhone17,1, iOS 26.1") && text.contains("fair (100)") && text.contains("50.0 % → 50.0 %")
            )
            #expect(text.contains("41.0 ms reported by a recording") && text.contains("signature: absent"))
            #expect(try folder.text(of: "run/report.html").contains("reported by a recording"))
        }
    }

    /// Runs OpenSSL; returns what it prints.
    private func openSSL(_ arguments: String...) throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: try #require(openSSLPath))
        (process.arguments, process.standardOutput) = (arguments, output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }

    /// As the manual says: the key, the signature, and the suite that names it.
    @Test("a recording that is signed with a key of the suite is measured, and gates", .enabled(if: openSSLPath != nil))
    func signed() throws {
        try withDataset { folder in
            let picture = SHA256.hex(of: try TestPicture.line())
            let header =
                #"{"readings":1,"system":{"name":"my-app","version":"2.1"},"device":{"model":"iPhone17,1","os":"iOS 26.1"},"#
                + #""recorder":{"name":"SpineBenchKit","version":"2"},"app":{"version":"2.1","digest":"\#(picture)"}}"#
            let lines = (0..<100).map { number in
                let began = number * 50_000_000
                return
                    "{\"sample\":\"s\(number)\",\"repetition\":1,\"lines\":[{\"text\":\"\(TextFixture.text)\"}],\"latency\":41,"
                    + "\"picture\":\"\(picture)\",\"session\":1,\"began\":\(began),\"ended\":\(began + 41_000_000),\"thermal\":\"nominal\"}"
            }
            let text = ([header] + lines).joined(separator: "\n") + "\n"
            try folder.write(text, to: "phone.jsonl")
            _ = try openSSL("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", folder("key.pem"))
            let key = try openSSL("ec", "-in", folder("key.pem"), "-pubout", "-outform", "DER").base64EncodedString()
            let signature = try openSSL("dgst", "-sha256", "-sign", folder("key.pem"), folder("phone.jsonl"))
            let last = "{\"key\":\"\(key)\",\"signature\":\"\(signature.base64EncodedString())\"}\n"
            try folder.write(text + last, to: "phone.jsonl")
            let suite = """
                suite: mine
                description: One phone.
                variants: [fast]
                gate: [fast]
                targets:
                  - { metric: latency-p95, below: LIMIT, machine: phone }
                recordings: { keys: ["\(key)"] }
                """
            for (limit, code) in [("42", Int32(0)), ("41", 1)] {
                try folder.write(suite.replacing("LIMIT", with: limit), to: "suite.yaml")
                let options = ["--suite", folder("suite.yaml"), "--out", folder("run-\(limit)")]
                let outcome = try score(folder, ["fast=" + folder("phone.jsonl")] + options)
                #expect(outcome.code == code, "\(outcome.errors)\(outcome.output)")
                #expect(try folder.text(of: "run-\(limit)/report.md").contains("41.0 ms measured on device"))
            }
            try folder.write(text.replacing("\"latency\":41,", with: "\"latency\":40,") + last, to: "phone.jsonl")
            let changed = try score(
                folder,
                ["fast=" + folder("phone.jsonl"), "--suite", folder("suite.yaml"), "--out", folder("c")]
            )
            #expect(
                changed.code == 0 && changed.errors.contains("signature: does not fit the file"),
                "\(changed.errors)"
            )
            #expect(try folder.text(of: "c/report.md").contains("40.0 ms reported by a recording"))
        }
    }

    @Test(
        "what cannot be scored is refused, and leaves no folder",
        arguments: [
            ([], "Missing expected argument"),
            (["missing.jsonl"], "does not exist"),
            (["a/b=readings.jsonl"], "is neither a file nor NAME=FILE"),
            (["readings.jsonl", "--tier", "x=fast"], "unknown variant \"x\"; the files make readings"),
            (["readings.jsonl", "--tier", "readings=slow"], "expected NAME=TIER"),
            (["readings.jsonl", "readings.jsonl"], "a second reading of s0, repetition 1"),
            (["readings.jsonl", "--format", "csv"], "--format"),
            (["unknown.jsonl"], "unknown.jsonl:1: \"z\""),
        ]
    )
    func refusals(_ arguments: [String], _ message: String) throws {
        try withDataset { folder in
            try folder.write(readings(), to: "readings.jsonl")
            try folder.write(#"{"sample": "z", "text": "a"}"#, to: "unknown.jsonl")
            let paths = arguments.map { $0.hasSuffix(".jsonl") && !$0.contains("=") ? folder($0) : $0 }
            let outcome = try score(folder, paths + ["--out", folder("run")])
            #expect(outcome.code == 2, "\(outcome.output)")
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            #expect(!folder.contains("run"))
        }
    }
}
