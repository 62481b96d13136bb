import Basics
import Foundation
import Imaging
import TestSupport
import Testing

/// A session with the programs as text: a section of a file in `Transcripts`, run in a new folder.
///
/// A section begins with a line `# title` at the file's start or after an empty line; other lines with `#` are
/// comments. What its lines do:
///
///     only networks            needs the readers' networks and a back end (or `linux`, `namespaces`, `python`)
///     dataset set 12 title=D   a dataset of 12 samples, s0 to s11, of the picture set/a.png
///     label set b author="A"   one more sample; a field has this text or JSON value, or is left out (`author=`)
///     picture a.png 4x4        a printed line, or an even grey picture of that size
///     books.csv = title        a file of this text and of the lines below that are indented by four spaces
///     env NAME=value           a variable of the commands below
///     $ catalogue info a b     runs `spinebench`, in the shell's syntax
///     % cp a b                 runs a line of the shell, which finds the other programs as well
///
/// What a line below a command expects. Without `[…]`, the exit code is 0; with 2, a line begins with `error: `; and
/// no command prints words of Foundation and other libraries:
///
///     [2 4] text               the exit code is 2 or 4, and what is printed contains the text, if there is one
///     > text                   standard output contains the text (`^ text`: begins with it)
///     2> text                  standard error contains the text; it is empty for `2>` alone
///     !> text                  nothing that is printed contains the text
///     = text                   the next line of the standard output, all of which is listed; nothing for `=` alone
///     json - 0.books.*.row [1] the value at a path of the output: `*` is every element, `1...` a range of numbers
///
/// What a line expects of the folder:
///
///     + a b                    there are a and b
///     ! a b                    there is neither a nor b
///     a.md: text               the file contains the text (`a.md !: text`: it does not)
///     a.csv: 3 lines           the file has three lines
///     json a.json books.0 {}   the value at a path of the file; of `a.csv`, texts by row and column
///
/// `$PROJECT` (the repository), `$PROGRAM` (the path of `spinebench`) and `$PWD` (the folder) stand for paths.
struct Transcript: Sendable, CustomTestStringConvertible {
    struct Line: Sendable {
        var number: Int
        var text: String
    }

    enum Need: String, CaseIterable {
        case linux, namespaces, networks, python

        var isMet: Bool {
            switch self {
            case .linux: FileManager.default.fileExists(atPath: "/proc/1")
            case .namespaces:
                (try? Program.start("/usr/bin/unshare", ["--map-root-user", "--net", "true"]))?.code == 0
            case .networks: Program.hasNetworks
            case .python: Program.hasPython
            }
        }
    }

    private(set) var file: String
    private(set) var title: Line
    private(set) var lines: [Line] = []

    var testDescription: String { "\(file):\(title.number) \(title.text)" }

    /// Whether the machine has what the section needs.
    var canRun: Bool {
        lines.compactMap { $0.text.wholeMatch(of: /only (\w+)/)?.1 }.allSatisfy {
            Need(rawValue: String($0))?.isMet != false
        }
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transcripts").path

    /// The sections of all files; those with the text of `SPINEBENCH_TRANSCRIPTS` in their description if it is set.
    static let all: [Transcript] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
        let all = names.filter { $0.hasSuffix(".transcript") }.flatMap { name in
            sections(of: (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? "", in: name)
        }
        guard let chosen = ProcessInfo.processInfo.environment["SPINEBENCH_TRANSCRIPTS"] else { return all }
        return all.filter { $0.testDescription.contains(chosen) }
    }()

    static func sections(of text: String, in file: String) -> [Transcript] {
        var (sections, wasEmpty) = ([Transcript](), true)
        for (index, text) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if wasEmpty && text.hasPrefix("# ") {
                sections.append(Transcript(file: file, title: Line(number: index + 1, text: String(text.dropFirst(2)))))
            } else if !text.hasPrefix("#"), !text.isEmpty {
                if sections.isEmpty {
                    sections.append(Transcript(file: file, title: Line(number: 1, text: "no title")))
                }
                sections[sections.count - 1].lines.append(Line(number: index + 1, text: String(text)))
            }
            wasEmpty = text.isEmpty
        }
        return sections
    }

    /// Runs the lines, and reports each expectation that is not met at its line.
    func run(_ report: @escaping (_ line: Int, _ problem: String) -> Void) throws {
        let session = try TranscriptSession(report)
        var rest = lines[...]
        while let line = rest.popFirst() {
            let below = rest.prefix { TranscriptSession.belongs($0.text, to: line.text) }
            rest = rest.dropFirst(below.count)
            do { try session.take(line, Array(below)) } catch {
                report(line.number, "\(error)")
                return
            }
        }
    }
}

/// The folder and the last output of a running transcript.
private final class TranscriptSession {
    private struct Unknown: Error, CustomStringConvertible {
        var description: String
    }

    private let folder: TemporaryFolder
    private let report: (Int, String) -> Void
    private var environment: [String: String] = [:]
    private var outcome: Program.Outcome?

    init(_ report: @escaping (Int, String) -> Void) throws {
        (folder, self.report) = (try TemporaryFolder(), report)
        let program = try #require(Program.path)
        let programs = URL(filePath: program).deletingLastPathComponent().path
        let project = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        environment = ["PROJECT": project, "PROGRAM": program, "PWD": folder.path, "PATH": "\(programs):\(path)"]
    }

    /// Whether a line states what is expected of a command, or continues a file.
    static func belongs(_ line: String, to first: String) -> Bool {
        if ["$ ", "% "].contains(where: first.hasPrefix) {
            return ["[", "=", "^", ">", "2>", "!>", "json - "].contains(where: line.hasPrefix)
        }
        return line.hasPrefix("    ") && first.contains(/^\S+ =( |$)/)
    }

    func take(_ line: Transcript.Line, _ below: [Transcript.Line]) throws {
        if line.text.hasPrefix("$ ") || line.text.hasPrefix("% ") { return try call(line, below) }
        let text = expanded(line.text)
        if let match = text.wholeMatch(of: /(\S+) =(?: (.*))?/) {
            let lines = (match.2.map { [String($0)] } ?? []) + below.map { expanded(String($0.text.dropFirst(4))) }
            return try folder.write(lines.map { $0 + "\n" }.joined(), String(match.1))
        }
        if let match = text.wholeMatch(of: /(\S+?)( !)?: (.*)/) {
            return try expectFile(String(match.1), isThere: match.2 == nil, String(match.3), line.number)
        }
        let words = Self.words(text)
        switch (words[0], words.dropFirst().count) {
        case ("only", 1) where Transcript.Need(rawValue: words[1]) != nil: break
        case ("env", 1...):
            let pair = text.dropFirst(4).split(separator: "=", maxSplits: 1).map(String.init)
            environment[pair[0]] = pair.count > 1 ? pair[1] : ""
        case ("picture", 1...2): try picture(words[1], size: words.count > 2 ? words[2] : nil)
        case ("dataset", 2...) where Int(words[2]) != nil:
            try picture("\(words[1])/a.png")
            for index in 0..<(Int(words[2]) ?? 0) { try label(words[1], "s\(index)", words.dropFirst(3)) }
        case ("label", 2...): try label(words[1], words[2], words.dropFirst(3))
        case ("+", 1...), ("!", 1...):
            for name in words.dropFirst() where folder.contains(name) != (words[0] == "+") {
                report(line.number, "\(name) is \(words[0] == "+" ? "not there" : "there")")
            }
        case ("json", 3...): try expectJSON(text, line.number)
        default: throw Unknown(description: "unknown line of a transcript: \(text)")
        }
    }

    private static func words(_ text: String) -> [String] {
        text.matches(of: /(?:[^\s"]|"[^"]*")+/).map { $0.0.filter { $0 != "\"" } }
    }

    private func expanded(_ text: String) -> String {
        ["PROJECT", "PROGRAM", "PWD"].reduce(text) { $0.replacing("$\($1)", with: environment[$1] ?? "") }
    }

    private func picture(_ name: String, size: String? = nil) throws {
        let sides = size?.split(separator: "x").compactMap { Int($0) } ?? []
        try folder.write(
            sides.count == 2
                ? ImageCodec.encodePNG(RasterImage(width: sides[0], height: sides[1], channels: 3, filledWith: 200))
                : TestPicture.line(),
            name
        )
    }

    private func label(_ set: String, _ id: String, _ fields: ArraySlice<String>) throws {
        let changes = fields.map { field -> (String, String?) in
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard pair.count == 2, !pair[1].isEmpty else { return (pair[0], nil) }
            let isJSON = (try? JSONParser.parse(Array(pair[1].utf8))) != nil
            return (pair[0], isJSON ? pair[1] : "\"\(pair[1])\"")
        }
        let name = "\(set)/samples.jsonl"
        let before = folder.contains(name) ? try folder.text(of: name) : ""
        let line = TestLabel.line(id, changes: Dictionary(changes) { $1 })
        try folder.write(before + line + "\n", name)
    }

    // MARK: - Commands

    private func call(_ line: Transcript.Line, _ expected: [Transcript.Line]) throws {
        var command = String(line.text.dropFirst(2))
        if line.text.hasPrefix("$") {
            let name = command.prefix { $0 != " " }
            if let limit = Program.patience[String(name)], !command.contains(limit), !command.contains("--resume") {
                command = "\(name) \(limit) 3600\(command.dropFirst(name.count))"
            }
            command = "exec \"$PROGRAM\" \(command)"
        }
        let outcome = try Program.start("/bin/sh", ["-c", command], environment: environment, in: folder.path)
        self.outcome = outcome
        let said = outcome.output + outcome.errors
        func demand(_ holds: Bool, _ line: Transcript.Line, _ problem: String) {
            if !holds { report(line.number, "\(problem); exit code \(outcome.code), printed:\n\(said.suffix(3_000))") }
        }
        if !expected.contains(where: { $0.text.hasPrefix("[") }) { demand(outcome.code == 0, line, "expected code 0") }
        for word in Program.foreignWords { demand(!said.contains(word), line, "did not expect “\(word)”") }
        if outcome.code == 2, line.text.hasPrefix("$") {
            let hasError = said.split(separator: "\n").contains { $0.lowercased().hasPrefix("error: ") }
            demand(hasError, line, "expected a line that begins with “error: ”")
        }
        var output = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)[...]
        if output.last?.isEmpty == true { output.removeLast() }
        for check in expected {
            let text = expanded(check.text)
            if let match = text.wholeMatch(of: /\[(\d+(?: \d+)*)\](?: (.*))?/) {
                demand(match.1.split(separator: " ").contains("\(outcome.code)"), check, "expected code \(match.1)")
                demand(match.2.map { said.contains($0) } ?? true, check, "expected “\(match.2 ?? "")”")
            } else if let match = text.wholeMatch(of: /(=|\^|>|2>|!>)(?: (.*))?/) {
                let words = match.2 ?? ""
                switch match.1 {
                case "=" where match.2 != nil: demand(output.popFirst() == words, check, "expected the line “\(words)”")
                case "=": break
                case "2>" where match.2 == nil: demand(outcome.errors.isEmpty, check, "expected no error")
                case "^": demand(!words.isEmpty && outcome.output.hasPrefix(words), check, "expected “\(words)” first")
                case ">":
                    demand(!words.isEmpty && outcome.output.contains(words), check, "expected “\(words)” as output")
                case "2>":
                    demand(!words.isEmpty && outcome.errors.contains(words), check, "expected “\(words)” as error")
                default: demand(!words.isEmpty && !said.contains(words), check, "did not expect “\(words)”")
                }
            } else if text.hasPrefix("json - ") {
                try expectJSON(text, check.number)
            } else {
                throw Unknown(description: "unknown line of a transcript: \(text)")
            }
        }
        if let last = expected.last(where: { $0.text.hasPrefix("=") }) {
            demand(output.isEmpty, last, "expected no more output than this")
        }
    }

    // MARK: - Files

    private func expectFile(_ name: String, isThere: Bool, _ text: String, _ line: Int) throws {
        if isThere, let count = text.wholeMatch(of: /(\d+) lines?/).flatMap({ Int($0.1) }) {
            let lines = try folder.lines(of: name).count
            if lines != count { report(line, "\(name) has \(lines) lines, not \(count)") }
        } else if try folder.text(of: name).contains(text) != isThere {
            report(
                line,
                "\(name) \(isThere ? "does not contain" : "contains") “\(text)”:\n\(try folder.text(of: name).prefix(3_000))"
            )
        }
    }

    private func expectJSON(_ text: String, _ line: Int) throws {
        guard let match = text.wholeMatch(of: /json (\S+) (\S+) (.+)/) else {
            throw Unknown(description: "expected json FILE PATH VALUE: \(text)")
        }
        let source = match.1 == "-" ? outcome?.output ?? "" : try folder.text(of: String(match.1))
        let lines = source.split(separator: "\n")
        let root =
            match.1.hasSuffix(".csv")
            ? Self.table(lines)
            : try (try? JSONParser.parse(Array(source.utf8)))
                ?? .array(lines.map { try JSONParser.parse(Array($0.utf8)) })
        let found = Self.value(at: match.2.split(separator: ".")[...], of: root)
        if let range = match.3.wholeMatch(of: /(-?[\d.]*\d)?\.\.\.(-?\d[\d.]*)?/) {
            let (low, high) = (
                range.1.flatMap { Double($0) } ?? -.infinity, range.2.flatMap { Double($0) } ?? .infinity
            )
            let numbers = Self.numbers(found)
            let isWithin = !numbers.isEmpty && numbers.allSatisfy { $0.map { low <= $0 && $0 <= high } ?? false }
            if !isWithin { report(line, "\(match.2) of \(match.1) is \(found)") }
        } else if try found != JSONParser.parse(Array(match.3.utf8)) {
            report(line, "\(match.2) of \(match.1) is \(found)")
        }
    }

    /// Returns the rows of a table without quoted fields, as objects with the names of its columns.
    private static func table(_ lines: [Substring]) -> JSONValue {
        let rows = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        return .array(
            rows.dropFirst().map { .object(Dictionary(zip(rows[0], $0.map(JSONValue.string))) { first, _ in first }) }
        )
    }

    private static func value(at path: ArraySlice<Substring>, of value: JSONValue) -> JSONValue {
        guard let name = path.first else { return value }
        let rest = path.dropFirst()
        switch value {
        case .array(let values) where name == "*": return .array(values.map { Self.value(at: rest, of: $0) })
        case .array(let values) where name == "count": return .number(Double(values.count))
        case .array(let values):
            guard let index = Int(name), values.indices.contains(index) else { return .null }
            return Self.value(at: rest, of: values[index])
        case .object(let values): return values[String(name)].map { Self.value(at: rest, of: $0) } ?? .null
        default: return .null
        }
    }

    /// Returns the numbers in a value; nil for what is no number.
    private static func numbers(_ value: JSONValue) -> [Double?] {
        switch value {
        case .array(let values): values.flatMap(numbers)
        case .number(let number): [number]
        default: [nil]
        }
    }
}
