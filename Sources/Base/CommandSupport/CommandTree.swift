public import ArgumentParser
import Foundation

/// A program's commands with their options, as ArgumentParser describes them, for the detection of typing errors.
public struct CommandTree: Sendable {
    package enum UsageError: Sendable, Equatable {
        /// An option that takes one value was given several times: the last one would win.
        case repeated(option: String)
        /// Unknown command; `known` are the existing ones.
        case unknownCommand(name: String, known: [String])
        /// The command has no such option; `known` are those that it has.
        case unknownOption(name: String, command: [String], known: [String])
    }

    private struct Command: Decodable {
        var commandName: String
        var shouldDisplay: Bool?
        var aliases: [String]?
        var defaultSubcommand: String?
        var subcommands: [Command]?
        var arguments: [Argument]?
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var kind: String
        var isRepeating: Bool
        var names: [Name]?

        var longNames: [String] { (names ?? []).filter { $0.kind == "long" }.map { "--\($0.name)" } }
    }

    private let root: Command

    /// - Throws: when ArgumentParser describes it in another way than this was made for.
    public init(of program: any ParsableCommand.Type) throws {
        struct Description: Decodable { var command: Command }
        root = try JSONDecoder().decode(Description.self, from: Data(program._dumpHelp().utf8)).command
    }

    /// Returns the first option that occurs twice although it takes one value.
    package func repetition(in arguments: [String]) -> UsageError? {
        let (_, command, rest) = command(of: arguments)
        var seen: Set<String> = []
        for token in Self.options(in: rest) {
            let known = (command.arguments ?? []).first { $0.longNames.contains(token) }
            guard let known, known.kind == "option", !known.isRepeating else { continue }
            guard seen.insert(known.longNames[0]).inserted else { return .repeated(option: token) }
        }
        return nil
    }

    /// Returns the first unknown command or option.
    package func unknownArgument(in arguments: [String]) -> UsageError? {
        let (path, command, rest) = command(of: arguments)
        if let first = rest.first, !first.hasPrefix("-"), let subcommands = command.subcommands, !subcommands.isEmpty,
            command.defaultSubcommand == nil
        {
            let known = subcommands.filter { $0.shouldDisplay ?? true }.map(\.commandName).filter { $0 != "help" }
            return .unknownCommand(name: (path + [first]).joined(separator: " "), known: known)
        }
        let known = (command.arguments ?? []).flatMap(\.longNames)
        let token = Self.options(in: rest).first { !known.contains($0) && !["--help", "--version"].contains($0) }
        return token.map { .unknownOption(name: $0, command: path, known: known.filter { $0 != "--help" }) }
    }

    private func command(of arguments: [String]) -> (path: [String], command: Command, rest: [String]) {
        var (path, command, rest) = ([String](), root, arguments[...])
        while let name = rest.first,
            let next = command.subcommands?.first(where: {
                $0.commandName == name || $0.aliases?.contains(name) == true
            })
        {
            (command, rest) = (next, rest.dropFirst())
            path.append(name)
        }
        if let name = command.defaultSubcommand,
            let standard = command.subcommands?.first(where: { $0.commandName == name })
        {
            command = standard
        }
        return (path, command, Array(rest))
    }

    /// Returns the long options in their order, without values; nothing that comes after `--`.
    private static func options(in arguments: [String]) -> [String] {
        arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
            .map { String($0.split(separator: "=", maxSplits: 1)[0]) }
    }
}

extension [String] {
    /// Whether an option occurs more than once: only then are the repeatable ones determined.
    public var hasRepeatedOption: Bool {
        let options = prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map { $0.prefix { $0 != "=" } }
        return Set(options).count < options.count
    }
}
