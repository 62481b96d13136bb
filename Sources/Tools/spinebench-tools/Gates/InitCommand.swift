import ArgumentParser
import Basics
import CommandSupport
import Foundation
import Harness
import RunHistory
import SpineDatasets
import Systems

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Set up a gate in the CI of a repository.",
        discussion: """
            Example:

              spinebench init --dataset tests/spines --system "mine=python3 reader.py"

            Writes a suite, a folder for baselines, and a workflow. Manual: Docs/COMPARING.md#gate-in-ci.
            """
    )

    enum CI: String, ExpressibleByArgument, CaseIterable { case github, gitlab, none }

    @Argument(help: .value("dir", "Root of the repository."), completion: .directory)
    var folder = "."

    @Option(
        name: .customLong("dataset"),
        help: .value("dir", "Dataset in the repository (repeatable). (default: the one there, else SpineBench's)")
    )
    var datasets: [String] = []

    @Option(help: .value("name=command", "Your own reader; see Docs/YOUR-READER.md. (default: fast)"))
    var system: String?

    @Option(
        help: "Service of the gate. (default: by the repository's files and remotes)"
    )
    var ci: CI?

    @Flag(help: "Replace files that exist.")
    var force = false

    func run() throws {
        let repository = Repository(path: URL(filePath: folder).standardizedFileURL.path)
        guard repository.contains(".git") else {
            throw HarnessError.configuration(
                repository.contains("HEAD") && repository.contains("refs")
                    ? "\(folder) is a bare repository; run 'spinebench init' in a clone of it"
                    : "\(folder) is not the root of a git repository; run 'git init' there first"
            )
        }
        let ci = ci ?? repository.ci
        if system?.contains(where: \.isNewline) == true {
            throw HarnessError.configuration("--system has several lines; put them into a script, and specify that")
        }
        var readers = ReaderOptions()
        readers.systems = [system].compactMap(\.self)
        let reader = try readers.variants().first?.record()
        let datasets = try repository.datasets(datasets)
        // Address of the repository that this program was built from.
        let address = SuiteLibrary.folder.flatMap { Repository(path: "\($0)/..").remote?.page }
        let place = ci == .github ? ".github/workflows/spinebench.yml" : ".gitlab-ci.yml"
        let isIncluded = ci == .gitlab && repository.contains(place)
        let template = try Template(datasets: datasets, system: system, reader: reader, address: address)
        var files = [
            "spinebench.yaml": template.filled(PackageResources.suite_yaml),
            "Reports/baseline/README.md": template.filled(PackageResources.baseline_md),
            "Reports/.gitignore": "/*\n!/.gitignore\n!/baseline/\n",
        ]
        if ci != .none {
            files[isIncluded ? Self.gitLabInclude : place] = template.filled(
                ci == .github ? PackageResources.gate_github_yml : PackageResources.gate_gitlab_yml
            )
        }
        let existing = force ? [] : files.keys.filter(repository.contains).sorted()
        guard existing.count < files.count else {
            throw HarnessError.configuration(
                "\(existing.joined(separator: ", ")) already exist in \(folder); nothing was written. Use --force to replace them"
            )
        }
        for path in existing { print("Exists:  \(path) (unchanged; --force replaces it)") }
        for (path, text) in files.sorted(by: { $0.key < $1.key }) where !existing.contains(path) {
            try OutputFile("\(repository.path)/\(path)", option: "init:", over: []).write(Array(text.utf8))
            print("Written: \(path)")
        }
        for name in datasets {
            guard let samples = try? DatasetLoader().load("\(repository.path)/\(name)").samples else { continue }
            print("\(name): \(ComparisonTolerances.standard.needs(photos: samples.filter(\.legible).map(\.group)))")
        }
        // CI clones SpineBench for them.
        let isOwn = datasets == [Template.ownDataset]
        let steps = [
            "spinebench run --suite spinebench.yaml"
                + (isOwn ? " --dataset \(ProjectFolder.find(named: "Datasets/spines-1") ?? "DIR")" : ""),
            isIncluded ? "add to .gitlab-ci.yml: include: \(Self.gitLabInclude)" : nil,
            ci != .none && address == nil
                ? "set the CI variable SPINEBENCH_URL to the address of SpineBench's repository"
                : nil,
            ci == .gitlab
                ? "for comments, set the CI/CD variable SPINEBENCH_TOKEN to a project access token with the scope api"
                : nil,
            ci == .none
                ? "no CI: 'spinebench init --ci github' or --ci gitlab writes a workflow"
                : "commit the files, and open a \(ci == .gitlab ? "merge" : "pull") request",
        ]
        print(("Next:    " + steps.compactMap(\.self).joined(separator: "\n         ")).typed)
    }

    /// Place of the gate where `.gitlab-ci.yml` exists.
    private static let gitLabInclude = ".gitlab/spinebench.yml"
}

/// What the templates of `init` are filled with.
struct Template {
    /// SpineBench's spines, where a workflow has cloned it.
    static let ownDataset = ".spinebench/Datasets/spines-1"

    private let values: [String: String]

    /// `reader` is the variant of `system`; nil is SpineBench's `fast`.
    init(datasets: [String], system: String?, reader: Variant?, address: String?) throws {
        // A list or a text of JSON is one of YAML, too.
        func yaml(_ value: some Encodable) throws -> String {
            String(decoding: try JSONLine.encode(value).dropLast(), as: UTF8.self)
        }
        let name = try yaml(reader?.name ?? "fast")
        let settings = try reader.map { reader in
            try reader.settings.sorted { $0.key < $1.key }.map { "\n      \($0): \(try yaml($1))" }.joined()
        }
        let compare = Self.compare(datasets, system: system)
        values = [
            "name": name, "datasets": try yaml(datasets),
            "variant": settings.map { "- base: system\n    name: \(name)\n    settings:\($0)" } ?? "- fast",
            "github": address ?? "\"${{ vars.SPINEBENCH_URL }}\"", "gitlab": address ?? "\"$SPINEBENCH_URL\"",
            "compares": compare.isEmpty ? "" : ", compares each change with its base",
            "compare": compare.isEmpty ? "" : "compare: >-\n            \(compare)",
            "quotedcompare": Self.quoted(compare),
        ]
    }

    /// Returns a template with its values in the place of `@name`, in one pass: a value may contain an "@name" itself.
    func filled(_ template: [UInt8]) -> String {
        String(decoding: template, as: UTF8.self).replacing(/@([a-z]+)/) { values[String($0.1)] ?? String($0.0) }
    }

    /// Returns arguments of `compare`, whose base is the reader in the base's folder; empty where both are the same.
    ///
    /// `system` is as `--system` has it.
    static func compare(_ datasets: [String], system: String?) -> String {
        guard let system, let end = system.firstIndex(where: { $0 == "," || $0 == "=" }),
            let command = system.firstMatch(of: /^[^=,]+(?:,[a-z-]+=[^,=]*)*=(?:each:|lines:)?/),
            !system[command.range.upperBound...].hasPrefix("http")
        else { return "" }
        let (settings, line) = (system[end..<command.range.upperBound], system[command.range.upperBound...])
        let sides = ["base\(settings)cd ../base && \(line)", "head\(settings)\(line)"].map { "--system \(quoted($0)) " }
        return "base head --against base " + sides.joined()
            + datasets.map { "--dataset \(quoted($0))" }.joined(separator: " ")
    }

    /// Returns a word of the shell.
    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'\''"#) + "'" }
}

/// A user's repository.
struct Repository {
    let path: String

    func contains(_ file: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(file)") }

    /// The CI that the repository has or whose service its remotes are on.
    var ci: InitCommand.CI {
        if contains(".gitlab-ci.yml") { return .gitlab }
        if contains(".github") { return .github }
        return remote?.service ?? .none
    }

    /// Address of the remote "origin", or else of the first one: as the settings have it, or where that names no
    /// service, as git rewrites it (`insteadOf`).
    var remote: RemoteAddress? {
        // Git would take a repository around this folder.
        guard contains(".git") else { return nil }
        let addresses = [["config", "--get-regexp", #"^remote\..*\.url$"#], ["remote", "-v"]].compactMap { question in
            let lines = (Git.answer(question, in: path) ?? "").split(separator: "\n").map {
                $0.split { $0 == "\t" || $0 == " " }
            }
            let line = lines.first { ["origin", "remote.origin.url"].contains($0.first) } ?? lines.first
            return line.flatMap { RemoteAddress(String($0.dropFirst().first ?? "")) }
        }
        return addresses.first { $0.service != .none } ?? addresses.first
    }

    /// Returns the datasets, relative to the repository: the named ones, or the only one that it contains, or none of
    /// its own.
    func datasets(_ named: [String]) throws -> [String] {
        guard named.isEmpty else {
            return try named.map { name in
                let place = URL(filePath: name).standardizedFileURL.path
                guard place.hasPrefix(path + "/") else {
                    throw HarnessError.configuration(
                        "--dataset \(name) is outside \(path), where CI does not have it; specify a folder inside"
                    )
                }
                _ = try DatasetLoader().labelled(name)
                return String(place.dropFirst(path.count + 1))
            }
        }
        let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? NSString } ?? []
        // Folders of runs have a samples.jsonl, too.
        let found = Set(
            files.filter { ["samples.jsonl", "shelves.jsonl"].contains($0.lastPathComponent) }
                .map(\.deletingLastPathComponent)
        ).filter { !contains("\($0)/config.json") }.sorted()
        guard found.count <= 1 else {
            throw HarnessError.configuration("several datasets: \(found.joined(separator: ", ")); specify --dataset")
        }
        return found.isEmpty ? [Template.ownDataset] : found
    }
}

/// Host and path of a repository's address: a URL, or "user@host:path".
///
/// Source: git-fetch(1), "Git URLs".
struct RemoteAddress: Equatable {
    /// Host, with the port of an address over HTTP.
    let host: String
    let path: Substring

    init?(_ text: String) {
        if let url = text.wholeMatch(of: /([a-z+]+):\/\/(?:[^\/]*@)?([^\/:@]+)(:[0-9]+)?\/+(.+)/.ignoresCase()) {
            if url.1.lowercased() == "file" { return nil }
            host = url.2.lowercased() + (url.1.lowercased().hasPrefix("http") ? url.3 ?? "" : "")
            path = url.4
        } else if let place = text.wholeMatch(of: /(?:[^\/:@]+@)?([^\/:@]{2,}):\/?([^\\\/].*)/) {
            (host, path) = (place.1.lowercased(), place.2)
        } else {
            return nil
        }
    }

    /// Address for a browser and for clones without a key.
    var page: String { "https://\(host)/\(path)" }

    /// Service that the host is called by; companies name theirs so, and GitHub those with data residency "ghe.com".
    var service: InitCommand.CI {
        if host.hasSuffix(".ghe.com") { return .github }
        return (host.firstMatch(of: /github|gitlab/)?.output).map { $0 == "github" ? .github : .gitlab } ?? .none
    }
}
