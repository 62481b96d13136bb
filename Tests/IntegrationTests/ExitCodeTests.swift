import Foundation
import TestSupport
import Testing

/// Wrong inputs, compared with the table of exit codes, and with technical texts that users must not see.
@Suite(.tags(.program), .inTurns, .needsProgram)
struct ExitCodeTests {
    /// Commands that take one input, with IN in its place; _ is a space.
    private static let commands = """
        read IN --variant tesseract
        scan IN --library l.sqlite
        scan a.png --library l.sqlite --catalogue IN
        match dune --catalogue IN
        catalogue info IN
        catalogue search IN dune
        catalogue build IN --out c.sqlite
        library list --library IN
        library export --library IN
        dataset validate IN
        dataset stats IN
        dataset digest IN
        dataset view IN --out v.html
        dataset split IN --out o
        dataset merge IN IN --out o
        dataset import IN --out o
        dataset fetch IN --out o
        dataset synth --titles IN --out o --count 1
        run --dataset IN --out o
        run --suite IN --out o
        run --resume IN
        score --dataset IN a.jsonl --out o
        compare tesseract tesseract --dataset IN --out o
        gate IN --baseline none
        report IN
        merge IN --out o
        watch --plain IN
        baseline update IN --name x --folder b
        suites --check IN
        devices check IN
        devices --device-folder IN
        simulate --device iPhone_12 --run IN
        model IN --budget fast
        """.split(separator: "\n")

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
        func code(_ command: Substring) -> Int32 {
            let isPicture = ["read IN", "scan IN"].contains(where: command.hasPrefix)
            return isPicture && ![.missing, .folder].contains(self) ? 1 : 2
        }
    }

    @Test("every command ends with the code of the table for a wrong input, names it, and speaks plainly")
    func wrongInputs() throws {
        for input in Input.allCases {
            // Empty recordings, suites and titles are invalid; a folder of devices without any is valid.
            for command in Self.commands where command != "devices --device-folder IN" || input != .folder {
                try Folder.with { folder in
                    try folder.write(TestPicture.line(), to: "a.png")
                    guard let path = try input.make(in: folder) else { return }
                    let arguments = command.split(separator: " ").map {
                        $0 == "IN" ? path : String($0).replacing("_", with: " ")
                    }
                    let program = try #require(Program.path)
                    let outcome = try Program.start(program, Program.patient(arguments), in: folder.path)
                    let said = outcome.output + outcome.errors
                    #expect(outcome.code == input.code(command), "\(command), \(input): \(said)")
                    #expect(said.contains(input.rawValue), "\(command), \(input): \(said)")
                    for word in Program.foreignWords { #expect(!said.contains(word), "\(command), \(input): \(said)") }
                }
            }
        }
    }
}
