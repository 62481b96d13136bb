package import ArgumentParser
import Basics
import CommandSupport
import Foundation
import Harness
import SpineDatasets

/// Settings of a reader of the user's: a command, or the address of a service.
package struct ReaderSettings {
    /// Command line of a shell after `each:` or `lines:`, or an address; empty in the base.
    package var command = ""
    /// Variables of the command, `NAME=value` with spaces between.
    var environment = ""
    /// Seconds for a picture.
    var timeout = 60.0
    /// Seconds until it is ready.
    var startTimeout = 120.0
    /// Processes of a command that answers lines.
    var lanes = 1
    package var network = Network.allowed
    var pictures = Subject.spines

    package enum Network: String, CaseIterable, Sendable {
        case allowed, refused
    }

    /// Ways in which a reader is asked.
    package enum Kind: String, CaseIterable, Sendable {
        case each, lines, http
    }

    /// The way of the prefix; without one, `each` for a command with `{image}`, and `lines` for others.
    package var kind: Kind {
        if command.hasPrefix("http://") || command.hasPrefix("https://") { return .http }
        if let kind = [Kind.each, .lines].first(where: { command.hasPrefix("\($0):") }) { return kind }
        return command.contains(EachReader.placeholder) ? .each : .lines
    }

    /// The command without its prefix.
    private var line: String {
        let prefix = "\(kind):"
        return command.hasPrefix(prefix) && kind != .http ? String(command.dropFirst(prefix.count)) : command
    }

    private var variables: [String: String] {
        let pairs = environment.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1) }
        return Dictionary(pairs.map { (String($0[0]), $0.count == 2 ? String($0[1]) : "") }) { $1 }
    }

    /// Missing program of the command; nil when it is there, or the shell alone knows.
    package var problem: String? {
        if command.isEmpty { return "it has no command; specify --system NAME=COMMAND, or the setting 'command'" }
        let program = line.split(separator: " ").first { !$0.contains("=") }.map(String.init) ?? ""
        let isPlain = program.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./+".contains($0)) }
        guard kind != .http, isPlain else { return nil }
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "command -v \"$0\" > /dev/null", program]
        guard (try? shell.run()) != nil else { return "/bin/sh cannot be started" }
        shell.waitUntilExit()
        return shell.terminationStatus == 0 ? nil : "command not found: \(program); check its spelling, or PATH"
    }

    /// Files that the command names, by which a later run knows the same reader.
    var files: [String] {
        guard kind != .http else { return [] }
        return line.split { " '\"".contains($0) }.map { String($0).withHomeFolder }.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
                // A device or a pipe may have no end.
                && !FileIdentity.isSpecial(path)
        }
    }

    /// Seconds within which a worker of it is ready or has answered: the command may be started before a reading, and
    /// is started again after a failed one.
    var limitSeconds: Double { timeout + 2 * startTimeout + 10 }

    /// Loads the system.
    ///
    /// - Throws: `ReaderFailure` when the command does not start, or no service answers.
    func load(report: @escaping @Sendable (String) -> Void) throws -> WorkerLoop.Loaded {
        let reader = ReaderCommand(
            line: line,
            environment: variables,
            timeout: timeout,
            startTimeout: startTimeout,
            lanes: lanes,
            isGuessed: line == command,
            report: report
        )
        var loaded =
            switch kind {
            case .each: try EachReader.load(reader)
            case .lines: try LinesReader.load(reader)
            case .http: try HTTPReader.load(line, timeout: timeout, startTimeout: startTimeout)
            }
        loaded.description["command"] = command
        if let name = loaded.description["reader"] { loaded.description["reader"] = "\(name), as it reports itself" }
        loaded.description["evidence"] =
            "confidences, stages and books are reported by the reader; times are measured by the harness"
            + (kind == .http
                ? "; each picture is sent to \(command)"
                : ", and memory over all of its processes; what it sends is not known")
        return loaded
    }
}

extension ReaderSettings: Settings {
    package static let kindName = "reader"
    package static let standard = ReaderSettings()

    /// Ways of a command: a service has neither variables nor a network of its own.
    private static let commands: [Kind] = [.each, .lines]

    package static let table: [Setting<ReaderSettings>] = [
        .init(
            "command",
            \.command,
            .text("each:COMMAND, lines:COMMAND or http://ADDRESS"),
            isOptional: true,
            "Command of the reader, or the address of a service; see Docs/YOUR-READER.md."
        ),
        .init(
            "pictures",
            \.pictures,
            .choice,
            isOptional: true,
            "Content of each picture: one spine, or whole shelves, of which the titles are sought in the whole text."
        ),
        .init("timeout", \.timeout, .number(0.01...86_400), "Timeout of a picture, in seconds."),
        .init("start-timeout", \.startTimeout, .number(0.01...86_400), "Timeout of the start, in seconds."),
        .init(
            "lanes",
            \.lanes,
            .integer(1...64),
            of: [.lines],
            isOptional: true,
            "Processes of a command that answers lines, for scenarios that read in parallel."
        ),
        .init(
            "environment",
            \.environment,
            .text("NAME=value with spaces between"),
            of: commands,
            isOptional: true,
            "Variables of the command, in addition to those of this program."
        ),
        .init(
            "network",
            \.network,
            .choice,
            of: commands,
            "Whether the command may use the network; refused: it gets no socket except local ones (Linux)."
        ),
    ]
}

/// Readers of the user's on a command line.
package struct ReaderOptions: ParsableArguments {
    @Option(
        name: .customLong("system"),
        help: .value(
            "name=command",
            "Your own reader as a variant (repeatable); see Docs/YOUR-READER.md."
        )
    )
    package var systems: [String] = []

    package init() {}

    /// Returns the variants.
    ///
    /// `timeout`: Seconds for a picture of a reader that has no such setting; nil for the standard.
    ///
    /// - Throws: `HarnessError` or `SettingFaults` for an invalid one.
    package func variants(timeout: Double? = nil) throws -> [ComposedVariant] {
        try systems.map { try ComposedVariant(system: $0, timeout: timeout) }
    }
}

extension ComposedVariant {
    /// Reads `NAME=COMMAND` or `NAME,setting=value=COMMAND`; the values contain neither `,` nor `=`.
    ///
    /// - Throws: `HarnessError` or `SettingFaults` for anything else.
    init(system text: String, timeout: Double? = nil) throws {
        let pattern = /(?<name>[A-Za-z0-9._-]+)(?<settings>(?:,[a-z-]+=[^,=]*)*)=(?<command>.+)/
        guard let match = text.wholeMatch(of: pattern.dotMatchesNewlines()) else {
            throw HarnessError.configuration(
                "invalid --system \"\(text)\": expected NAME=COMMAND, or NAME,setting=value=COMMAND"
            )
        }
        let name = String(match.name)
        guard Self.named(name) == nil else {
            throw HarnessError.configuration(
                "invalid --system \(name)=…: \(name) is a built-in variant; choose another name"
            )
        }
        var texts: [String: String] = [:]
        for setting in match.settings.split(separator: ",") {
            let sides = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            texts[String(sides[0])] = String(sides[1])
        }
        if let timeout, texts["timeout"] == nil { texts["timeout"] = NumberText.short(timeout) }
        texts["command"] = String(match.command)
        self.init(name, nil, try Self.system.settings.overridden(by: texts, name: name))
    }
}
