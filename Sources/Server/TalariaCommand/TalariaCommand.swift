import ArgumentParser
import Basics
import CommandSupport
import Foundation

@main
struct TalariaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "talaria",
        abstract: "Serve book-spine scanners: photos or text in, books out.",
        version: "talaria \(ProgramVersion.text)",
        subcommands: [Serve.self, HEICDecodeCommand.self],
        defaultSubcommand: Serve.self
    )

    static func main() async {
        if CommandLine.arguments.dropFirst().first != HEICDecodeCommand.name { HEICProcess.install() }
        let arguments = Array(CommandLine.arguments.dropFirst())
        var status = ExitStatus.success.code
        do {
            if arguments.hasRepeatedOption,
                case .repeated(let option) = try CommandTree(of: Self.self).repetition(in: arguments)
            {
                throw ValidationError("\(option) is given twice; give it once.")
            }
            try await runParsed()
        } catch {
            status = report(error)
        }
        let ending = StandardOutput.ending(status)
        if let message = ending.message { standardError("Error: \(message)") }
        Foundation.exit(ending.status)
    }

    private static func report(_ error: any Error) -> Int32 {
        let code = exitCode(for: error)
        if error is ExitCode { return code.rawValue }
        if code == .success {
            StandardOutput.write(fullMessage(for: error) + "\n")
            return code.rawValue
        }
        // ArgumentParser's own code for wrong usage is 64 (EX_USAGE).
        if code == .validationFailure {
            standardError(fullMessage(for: error))
            return ExitStatus.wrongInput.code
        }
        standardError("Error: " + (error.systemPath.map { "\($0): " } ?? "") + error.systemReason)
        return ExitStatus.environment.code
    }

    static func standardError(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }
}
