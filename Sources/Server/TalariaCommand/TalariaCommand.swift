import ArgumentParser
import CommandSupport
import TalariaServer

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
        await CommandProgram.run(Self.self) { if case TalariaServerError.host = $0 { .wrongInput } else { nil } }
    }
}
