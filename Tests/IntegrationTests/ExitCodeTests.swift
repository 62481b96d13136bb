import Basics
import Foundation
import TestSupport
import Testing

/// Wrong inputs, compared with the table of exit codes, and with technical texts that users must not see.
@Suite(.inTurns, .needsProgram)
struct ExitCodeTests {
    /// Error texts of Foundation, SwiftNIO and SQLite, and Swift's names of their types.
    private static let foreignWords = [
        "The operation could", "NSCocoaError", "NSPOSIXError", "Error Domain", "NIOCore", "NIOPosix", "IOError",
        "HTTPClientError", "connect timeout", "DecodingError", "given data was not valid", "Code=", "userInfo",
        "file doesn\u{2019}t exist", "couldn\u{2019}t be", "SQLite error",
    ]

    /// Commands that take one input, each with its arguments.
    private static let commands: [(name: String, call: @Sendable (String, Folder) -> [String])] = [
        ("read", { input, _ in ["read", input, "--variant", "tesseract"] }),
        ("scan", { input, folder in ["scan", input, "--library", folder("l.sqlite")] }),
        (
            "scan --catalogue",
            { input, folder in ["scan", folder("a.png"), "--library", folder("l.sqlite"), "--catalogue", input] }
        ),
        ("match", { input, _ in ["match", "dune", "--catalogue", input] }),
        ("catalogue info", { input, _ in ["catalogue", "info", input] }),
        ("catalogue search", { input, _ in ["catalogue", "search", input, "dune"] }),
        ("catalogue build", { input, folder in ["catalogue", "build", input, "--out", folder("c.sqlite")] }),
        ("library list", { input, _ in ["library", "list", "--library", input] }),
        ("library export", { input, _ in ["library", "export", "--library", input] }),
        ("dataset validate", { input, _ in ["dataset", "validate", input] }),
        ("dataset stats", { input, _ in ["dataset", "stats", input] }),
        ("dataset digest", { input, _ in ["dataset", "digest", input] }),
        ("dataset view", { input, folder in ["dataset", "view", input, "--out", folder("v.html")] }),
        ("dataset split", { input, folder in ["dataset", "split", input, "--out", folder("o1")] }),
        ("dataset merge", { input, folder in ["dataset", "merge", input, input, "--out", folder("o2")] }),
        (
            "dataset export",
            { input, folder in ["dataset", "export", input, "--format", "coco", "--out", folder("o3")] }
        ),
        ("dataset import", { input, folder in ["dataset", "import", input, "--out", folder("o4")] }),
        (
            "dataset synth",
            { input, folder in ["dataset", "synth", "--titles", input, "--out", folder("o5"), "--count", "1"] }
        ),
        ("run", { input, folder in ["run", "--dataset", input, "--out", folder("o6")] }),
        ("run --suite", { input, folder in ["run", "--suite", input, "--out", folder("o7")] }),
        ("score", { input, folder in ["score", "--dataset", input, "a.jsonl", "--out", folder("o10")] }),
        ("run --resume", { input, _ in ["run", "--resume", input] }),
        (
            "compare",
            { input, folder in ["compare", "tesseract", "tesseract", "--dataset", input, "--out", folder("o8")] }
        ),
        ("gate", { input, _ in ["gate", input, "--baseline", "none"] }),
        ("report", { input, _ in ["report", input] }),
        ("merge", { input, folder in ["merge", input, "--out", folder("o9")] }),
        ("watch", { input, _ in ["watch", "--plain", input] }),
        (
            "baseline update",
            { input, folder in ["baseline", "update", input, "--name", "x", "--folder", folder("b")] }
        ),
        ("suites --check", { input, _ in ["suites", "--check", input] }),
        ("devices check", { input, _ in ["devices", "check", input] }),
        ("devices --device-folder", { input, _ in ["devices", "--device-folder", input] }),
        (
            "devices import-trace",
            { input, folder in ["devices", "import-trace", input, "--device", "iPhone 12", "--out", folder("p.json")] }
        ),
        ("simulate --run", { input, _ in ["simulate", "--device", "iPhone 12", "--run", input] }),
        ("model", { input, _ in ["model", input, "--budget", "fast"] }),
    ]

    private enum Input: String, CaseIterable {
        case missing, folder, empty, garbage, unreadable

        /// Makes the input; nil where this user cannot have one.
        func make(in folder: Folder) throws -> String? {
            let path = folder(rawValue)
            switch self {
            case .missing: break
            case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            case .empty: try folder.write("", to: rawValue)
            case .garbage: try folder.write([0x00, 0xFF, 0x13, 0x37, 0xC0], to: rawValue)
            case .unreadable:
                // A user with access to everything cannot have such a file.
                guard geteuid() != 0 else { return nil }
                try folder.write("x", to: rawValue)
                try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
            }
            return path
        }

        /// Returns the table's exit codes: 2 for an input that is missing or not of its kind, but 1 for a picture
        /// that does not decode.
        func code(_ command: String) -> Int32 {
            ["read", "scan"].contains(command) && ![.missing, .folder].contains(self) ? 1 : 2
        }
    }

    @Test("every command ends with the code of the table for a wrong input, names it, and speaks plainly")
    func wrongInputs() throws {
        for input in Input.allCases {
            for (name, call) in Self.commands {
                // Empty recordings, suites and titles are invalid; so is a folder of devices without any.
                let isFine = name == "devices --device-folder" && input == .folder
                if isFine { continue }
                try Folder.with { folder in
                    try folder.write(TestPicture.line(), to: "a.png")
                    guard let path = try input.make(in: folder) else { return }
                    let outcome = try Program.run(call(path, folder))
                    let said = outcome.output + outcome.errors
                    #expect(outcome.code == input.code(name), "\(name), \(input): \(said)")
                    #expect(said.contains(input.rawValue), "\(name), \(input): \(said)")
                    for word in Self.foreignWords { #expect(!said.contains(word), "\(name), \(input): \(said)") }
                }
            }
        }
    }

    #if os(Linux)
    @Test("what was sent and could not be logged is told: 4")
    func egressLog() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "a.png")
            let outcome = try Program.run(
                [
                    "scan", folder("a.png"), "--variant", "talaria-only", "--patience", "0.5", "--library",
                    folder("l.sqlite"), "--talaria", "http://127.0.0.1:9", "--egress-log", "/dev/full",
                ]
            )
            #expect(outcome.code == 4 && outcome.errors.contains("/dev/full"), "\(outcome.errors)")
        }
    }
    #endif

    @Test("a back end that cannot be reached, and a file that cannot be made, are said plainly")
    func surroundings() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "a.png")
            let library = ["--library", folder("l.sqlite")]
            let there = ["--talaria", "http://127.0.0.1:9"]
            let outcomes = [
                try Program.run(
                    ["scan", folder("a.png"), "--variant", "talaria-only", "--patience", "0.5"] + library + there
                ),
                try Program.run(["library", "export", "--out", "/proc/none/x"] + library),
                try Program.run(["scan", folder("a.png"), "--library", "/proc/none/l.sqlite"]),
                try Program.run(["scan", folder("a.png"), "--egress-log", "/proc/none/log"] + library),
                try Program.run(["read", folder("a.png"), "--overlay", "/proc/none"]),
                try Program.run(["simulate", "--device", "iPhone 12", "--latency", "2,3", "--csv", "/proc/none/x"]),
                try Program.run(["dataset", "synth", "--out", folder("a.png"), "--count", "1"]),
            ]
            #expect(outcomes[0].output.contains("1 queued"))
            for outcome in outcomes {
                let said = outcome.output + outcome.errors
                for word in Self.foreignWords { #expect(!said.contains(word), "\(said)") }
            }
            for outcome in outcomes.dropFirst() { #expect(outcome.code == 2, "\(outcome.errors)") }
        }
    }

    @Test("both programs say one version")
    func version() throws {
        let bench = try Program.run("--version")
        #expect(bench.code == 0 && bench.output == "spinebench 0.1.0\n")
        // A dataset's own version is another matter.
        let synth = try Program.run("dataset", "synth", "--version", "2.0.0", "--out", "/proc/none", "--count", "1")
        #expect(synth.code != 0)
    }
}
