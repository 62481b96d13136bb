import ArgumentParser
import Foundation

@main
struct TalariaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "talaria",
        abstract: "The back end that book-spine scanners talk to: photos or text in, books out.",
        subcommands: [Serve.self],
        defaultSubcommand: Serve.self
    )

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let code = exitCode(for: error)
            // ArgumentParser's own code for wrong usage is 64 (EX_USAGE); spinebench's is 2.
            guard code == .validationFailure else { exit(withError: error) }
            FileHandle.standardError.write(Data("\(fullMessage(for: error))\n".utf8))
            Foundation.exit(2)
        }
    }
}
