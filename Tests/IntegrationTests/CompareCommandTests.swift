import Basics
import Foundation
import TestSupport
import Testing

/// `spinebench compare` from end to end, with the variant that starts fastest.
@Suite(.inTurns, .needsProgram, .serialized)
struct CompareCommandTests {
    private func withDataset(_ count: Int, _ body: (Folder) throws -> Void) throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            let lines = (0..<count).map { TestLabel.line("s\($0)") }
            try folder.write(lines.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            try body(folder)
        }
    }

    @Test("a variant that loses all texts is a regression in accuracy: 1, and CI is told")
    func regression() throws {
        try withDataset(12) { folder in
            let outcome = try Program.run(
                "compare",
                "tesseract",
                "tesseract",
                "--dataset",
                folder("set"),
                "--out",
                folder("out"),
                "--rounds",
                "1",
                "--gate",
                "latency=off,p95=off,memory=off",
                "--plant",
                "drop=100",
                "--junit",
                folder("ci/junit.xml"),
                "--bencher",
                folder("ci/bencher.json"),
                "--benchmark-json",
                folder("ci")
            )
            #expect(outcome.code == 1, "\(outcome.errors)")
            #expect(outcome.output.contains("REGRESSION"))
            #expect(try folder.text(of: "out/comparison.md").contains("12 lost, 0 gained"))
            #expect(try folder.lines(of: "out/flips.csv").count == 13)
            #expect(try folder.lines(of: "out/samples.jsonl").count == 36)
            #expect(try folder.text(of: "out/comparison.html").contains("data:image/jpeg;base64,"))
            #expect(try folder.text(of: "ci/junit.xml").contains("<failure"))
            #expect(folder.contains("ci/bencher.json") && folder.contains("ci/smaller-is-better.json"))
        }
    }

    @Test("three sides are compared in all pairs, live and stored, with the first or that of --against")
    func threeSides() throws {
        try withDataset(12) { folder in
            let live = [
                "--dataset", folder("set"), "--rounds", "1", "--gate", "latency=off,p95=off,memory=off", "--plant",
                "drop=100",
            ]
            let outcome = try Program.run(
                ["compare", "tesseract", "tesseract", "tesseract", "--out", folder("out")] + live
            )
            #expect(outcome.code == 1, "\(outcome.errors)")
            #expect(
                outcome.output.contains("Worse: B against A: title read") && outcome.output.contains("Beaten by none")
            )
            let text = try folder.text(of: "out/comparison.md")
            #expect(text.contains("## Ranks") && text.contains("100.0 %, 1 a") && text.contains("0.0 %, 2 b"))
            // A, B, C and A′ read each spine.
            #expect(try folder.lines(of: "out/samples.jsonl").count == 48)
            for name in ["x", "y", "z"] {
                let run = [
                    "--dataset", folder("set"), "--variants", "tesseract", "--repetitions", "1", "--out", folder(name),
                ]
                #expect([0, 1, 3].contains(try Program.run(["run"] + run).code))
            }
            let runs = ["x", "y", "z"].map(folder.callAsFunction)
            let stored = try Program.run(["compare"] + runs + ["--against", runs[1], "--out", folder("stored")])
            #expect(stored.code == 0, "\(stored.errors)")
            #expect(stored.output.contains("A tesseract of \(runs[1])"))
            let wrong = try Program.run(["compare"] + runs + ["--against", "w", "--out", folder("none")])
            #expect(wrong.code == 2 && wrong.errors.contains("Invalid --against 'w': expected one of"))
        }
    }

    #if os(Linux)
    @Test("a worker that has no back end is refused the network, and what it asked for is counted")
    func refusedNetwork() throws {
        struct Line: Decodable {
            struct Prediction: Decodable { let traffic: Traffic? }
            struct Traffic: Decodable { let wireUp: Int?, refusedSockets: Int? }

            let measurement: String
            let prediction: Prediction?
        }
        try withDataset(2) { folder in
            let outcome = try Program.run(
                "compare",
                "tesseract",
                "tesseract",
                "--dataset",
                folder("set"),
                "--out",
                folder("out"),
                "--rounds",
                "1",
                "--plant",
                "sockets=1"
            )
            #expect([0, 1, 3].contains(outcome.code), "\(outcome.errors)")
            let lines = try folder.lines(of: "out/samples.jsonl").map {
                try JSONDecoder().decode(Line.self, from: Data($0.utf8))
            }
            let sides = Dictionary(grouping: lines, by: \.measurement)
            // A is read twice, as it is compared with itself too.
            #expect(sides.count == 3)
            let most = try sides.values.map { side in
                let traffic = try side.map { try #require($0.prediction?.traffic) }
                #expect(traffic.allSatisfy { $0.wireUp == 0 })
                return traffic.compactMap(\.refusedSockets).max() ?? -1
            }
            // A asks for none, B for one in each reading.
            #expect(most.sorted().prefix(2) == [0, 0] && (most.max() ?? 0) >= 2)
        }
    }
    #endif

    @Test("the same build read by two programs is no regression: 0")
    func sameBuild() throws {
        try withDataset(12) { folder in
            let program = try #require(Program.path)
            let outcome = try Program.run(
                "compare",
                "tesseract",
                "--against-binary",
                program,
                "--dataset",
                folder("set"),
                "--out",
                folder("out"),
                "--rounds",
                "1",
                "--no-noise-floor",
                "--gate",
                "latency=off,p95=off,memory=off"
            )
            #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains("NO REGRESSION"))
            #expect(outcome.output.contains("tesseract of \(program)"))
        }
    }

    @Test("another program that is no build of this one ends clearly: 4")
    func otherProgram() throws {
        try withDataset(1) { folder in
            let outcome = try Program.run(
                "compare",
                "tesseract",
                "--against-binary",
                "/bin/false",
                "--dataset",
                folder("set"),
                "--out",
                folder("out")
            )
            #expect(outcome.code == 4)
            #expect(outcome.errors.contains("uses an incompatible worker protocol"))
        }
    }

    @Test("what cannot be compared says what to do: 2")
    func usage() throws {
        try withDataset(1) { folder in
            #expect(try Program.run("compare", "tesseract", "--dataset", folder("set")).code == 2)
            #expect(try Program.run("compare", "tesseract", "fast").errors.contains("--dataset DIR"))
            let gate = try Program.run("compare", "tesseract", "fast", "--dataset", folder("set"), "--gate", "speed=1")
            #expect(gate.code == 2 && gate.errors.contains("speed=1"))
        }
    }
}
