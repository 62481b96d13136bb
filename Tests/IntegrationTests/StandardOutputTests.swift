import Basics
import Foundation
import TestSupport
import Testing

/// Behaviour of every command when its output has no reader.
@Suite(.tags(.program), .inTurns, .needsProgram, .serialized)
struct StandardOutputTests {
    /// A command of `--experimental-dump-help`.
    private struct Command: Decodable {
        var commandName: String
        var shouldDisplay: Bool?
        var subcommands: [Command]?

        /// Returns every command without subcommands below this one, by its path of names.
        func leaves(_ path: [String] = []) -> [[String]] {
            guard let subcommands, !subcommands.isEmpty else { return [path] }
            return subcommands.filter { $0.shouldDisplay ?? true && $0.commandName != "help" }
                .flatMap { $0.leaves(path + [$0.commandName]) }
        }
    }

    /// One call of every command, in an order in which each finds its input; _ is a space.
    private static let calls = """
        --version
        --help
        read --help
        engines
        suites
        suites smoke
        suites --settings
        devices show
        devices show iPhone_12
        devices show --json
        devices check PROFILE
        simulate --device iPhone_12 --latency 25,60 --minutes 0.2
        simulate --device iPhone_12 --latency 25,60 --minutes 0.2 --json
        dataset validate set
        dataset stats set
        dataset stats --json set
        dataset digest set
        dataset view set --out view.html
        dataset split set --out split
        dataset merge set set --out merged
        dataset import in --out imported
        dataset synth --out synth --count 1
        catalogue build books.csv --out books.sqlite
        catalogue info books.sqlite
        catalogue info --json books.sqlite
        catalogue search books.sqlite winter
        match winter_harbour
        match --json winter_harbour
        read set/a.png --variant tesseract
        read --json set/a.png --variant tesseract
        shelf set/a.png
        shelf --json set/a.png
        find set/a.png --library l.sqlite
        find --json --label winter --forget
        open spinebench://shelf/author/jane%20austen
        scan set/a.png --library l.sqlite
        scan --json set/a.png --library l.sqlite
        library list --library l.sqlite
        library export --library l.sqlite
        library export --format json --library l.sqlite
        model --budget list
        run --dataset set --out run --variants tesseract --devices none --warmup 0 --repetitions 1
        run --dataset set --part 1/1 --out part --variants tesseract --warmup 0 --repetitions 1
        merge part --out whole
        report run
        slice run
        watch --plain run
        init repository --ci none
        baseline update run --name t --folder base
        gate run --baseline none
        compare run run --out compared
        """.split(separator: "\n").map { line in
            line.split(separator: " ").map { word in
                ["PROFILE": DeviceFixture.profile][word]
                    ?? String(word).replacing("_", with: " ")
            }
        }

    private func withInputs(_ body: (Folder) throws -> Void) throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            let labels = ["a", "b", "c"].map { TestLabel.line($0, changes: ["group": "\"\($0)\""]) }
            try folder.write(labels.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            try folder.write(TestPicture.tiny(), to: "in/a.png")
            try folder.write("file,text\na.png,T\n", to: "in/labels.csv")
            try folder.write("title,author\nWinter Harbour,Ida Bloom\n", to: "books.csv")
            try folder.write("ref: refs/heads/main\n", to: "repository/.git/HEAD")
            try body(folder)
        }
    }

    @Test(
        "every command ends with an error and a sentence when standard output cannot be written",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "this system has no /dev/full")
    )
    func full() throws {
        try withInputs { folder in
            for call in Self.calls {
                let output = try #require(FileHandle(forWritingAtPath: "/dev/full"))
                let program = try #require(Program.path)
                let outcome = try Program.start(program, Program.patient(call), in: folder.path, to: output)
                #expect(outcome.code != 0, "\(call): \(outcome.errors)")
                #expect(
                    outcome.errors.contains("standard output cannot be written: No space left on device"),
                    "\(call): \(outcome.errors)"
                )
            }
        }
    }

    @Test("the table of commands has every command")
    func allCommands() throws {
        struct Description: Decodable { var command: Command }
        let dump = try Program.run("--experimental-dump-help")
        let leaves = try JSONDecoder().decode(Description.self, from: Data(dump.output.utf8)).command.leaves()
        #expect(leaves.count > 10)
        for leaf in leaves {
            // Commands of the queue need a scan that a back end has refused.
            let others = [["library", "retry"], ["library", "forget"]]
            #expect(
                others.contains(leaf) || Self.calls.contains { $0.starts(with: leaf) },
                "\(leaf) is not in the table"
            )
        }
    }

    @Test("a reader that goes away ends a command quietly, with the code of SIGPIPE")
    func closedPipe() throws {
        for call in [["suites", "--settings"], ["devices"], ["--help"], ["engines"]] {
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            let outcome = try Program.run(call, to: pipe.fileHandleForWriting)
            #expect(outcome.code == 128 + SIGPIPE, "\(call)")
            #expect(!outcome.errors.contains("standard output"), "\(outcome.errors)")
        }
    }

    @Test(
        "a full disk is an error of the back end, too",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "this system has no /dev/full"),
        arguments: ["--version", "--help"]
    )
    func backEnd(_ option: String) throws {
        let output = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let outcome = try Program.run(program: "talaria", [option], to: output)
        #expect(outcome.code == 4 && outcome.errors.contains("standard output cannot be written"))
    }
}
