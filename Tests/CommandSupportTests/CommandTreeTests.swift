import ArgumentParser
import CommandSupport
import Testing

@Suite struct CommandTreeTests {
    private struct Program: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "program", subcommands: [Read.self, Show.self])
    }

    private struct Read: ParsableCommand {
        @Argument var paths: [String] = []
        @Option var variants = ""
        @Option(name: .customLong("dataset")) var datasets: [String] = []
        @Flag var json = false
    }

    private struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(subcommands: [One.self], defaultSubcommand: One.self)
    }

    private struct One: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "one")

        @Argument var name: String?
        @Option var folder: String?
    }

    private func tree() throws -> CommandTree { try CommandTree(of: Program.self) }

    @Test func anOptionThatTakesOneValueIsGivenOnce() throws {
        let tree = try tree()
        #expect(tree.repetition(in: ["read", "--variants", "a", "--variants=b"]) == .repeated(option: "--variants"))
        #expect(tree.repetition(in: ["show", "--folder", "a", "x", "--folder", "b"]) == .repeated(option: "--folder"))
    }

    @Test(
        "a list of values, a flag and what stands after -- may be there twice",
        arguments: [
            ["read", "--dataset", "a", "--dataset", "b"], ["read", "--json", "--json"],
            ["read", "--variants", "a", "--", "--variants"], ["read", "--variants", "--variant"], [],
        ]
    )
    func mayBeRepeated(_ arguments: [String]) throws {
        #expect(try tree().repetition(in: arguments) == nil)
    }

    @Test func whatThereIsNoneOfIsTold() throws {
        let tree = try tree()
        #expect(tree.unknownArgument(in: ["reed", "a"]) == .unknownCommand(name: "reed", known: ["read", "show"]))
        let options = ["--variants", "--dataset", "--json"]
        #expect(
            tree.unknownArgument(in: ["read", "--varaints=a"])
                == .unknownOption(name: "--varaints", command: ["read"], known: options)
        )
        // A name that no command has is the default command's argument.
        #expect(tree.unknownArgument(in: ["show", "a"]) == nil)
        #expect(tree.unknownArgument(in: ["read", "a", "--json", "--help"]) == nil)
    }

    @Test func onlyWhatIsThereTwiceCostsALook() {
        #expect(["--a", "x", "--a=y"].hasRepeatedOption)
        #expect(!["--a", "x", "--b", "x"].hasRepeatedOption)
        #expect(!["--a", "--", "--a"].hasRepeatedOption)
    }
}
