import Foundation
import TestSupport
import Testing

/// Command line as a whole: help, wrong usage, available engines.
@Suite(.inTurns, .needsProgram)
struct CommandLineTests {
    @Test("help is no error and names every command")
    func help() throws {
        let outcome = try Program.run("--help")
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        for word in ["read", "run", "suites", "engines", "dataset", "Exit codes"] {
            #expect(outcome.output.contains(word), "\(word)")
        }
        // The worker is the harness's own affair.
        #expect(!outcome.output.contains("worker"))
    }

    @Test(
        "every command explains itself",
        arguments: [
            ["read"], ["run"], ["suites"], ["engines"], ["dataset"], ["dataset", "validate"], ["dataset", "synth"],
        ]
    )
    func commandHelp(_ command: [String]) throws {
        let outcome = try Program.run(command + ["--help"])
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("USAGE: spinebench \(command.joined(separator: " "))"))
        #expect(outcome.errors.isEmpty)
    }

    @Test(
        "wrong usage ends with 2 and says so on standard error",
        arguments: [
            ["bogus"], ["--bogus"], ["run"], ["run", "--repetitions", "many"],
            ["run", "--dataset", "x", "--variants", "none"],
            ["run", "--resume", "a", "--out", "b"], ["read"], ["read", "a.png", "--variant", "bogus"],
            ["read", "a.png", "--engine", "bogus"], ["dataset", "validate"], ["dataset", "synth"],
            ["dataset", "synth", "--out", "x", "--count", "0"],
        ]
    )
    func wrongUsage(_ arguments: [String]) throws {
        let outcome = try Program.run(arguments)
        #expect(outcome.code == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.lowercased().hasPrefix("error: "))
    }

    @Test("a missing OpenVINO is reported with the remedy")
    func missingOpenVINO() throws {
        let folder = try TemporaryFolder()
        let environment = ["SPINEBENCH_OPENVINO": folder.path]
        let engines = try Program.run(["engines"], environment: environment)
        // Tesseract can be used.
        #expect(engines.code == 0)
        #expect(engines.output.contains("run 'make setup', or set SPINEBENCH_OPENVINO"))
        try folder.write(tinyPNG, "a.png")
        let read = try Program.run(["read", folder("a.png")], environment: environment)
        #expect(read.code == 4)
        #expect(read.errors.contains("SPINEBENCH_OPENVINO") && read.output.isEmpty)
        // A file that is not the library is named.
        try folder.write("text", "libopenvino_c.so")
        let broken = try Program.run(["read", folder("a.png")], environment: environment)
        #expect(broken.code == 4)
        #expect(broken.errors.contains("cannot open \(folder("libopenvino_c.so"))"))
    }

    @Test("the engines and what they need are listed")
    func engines() throws {
        let outcome = try Program.run("engines")
        #expect(outcome.code == 0)
        for word in ["OpenVINO", "Tesseract", "PP-OCRv6", "PP-OCRv4", "threads"] {
            #expect(outcome.output.localizedStandardContains(word), "\(word)")
        }
    }
}
