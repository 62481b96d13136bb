import ArgumentParser
import Basics
import Composition
import Foundation
import Harness
import Results
import RunHistory
import SpineDatasets

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Set up a repository: a suite with targets, a gate in CI, and a folder for baselines.",
        discussion: """
            For example, in the root of your repository:

              spinebench init --dataset tests/spines --system "mine=python3 reader.py"
              spinebench init --ci gitlab

            Writes spinebench.yaml (the suite), Reports/baseline, Reports/.gitignore, and the workflow, which builds SpineBench, \
            compares the reader of a pull request with that of its base, checks targets and baselines, and comments. Without \
            --dataset, the repository's folder with a samples.jsonl or shelves.jsonl is used, or else SpineBench's own spines; \
            without --system, SpineBench's reader 'fast'. In a checkout of SpineBench itself only the workflow is written.

            A file that exists stays as it is.

            Exit codes: 0 written, 2 not a git repository, all files exist, or invalid usage.
            """
    )

    enum CI: String, ExpressibleByArgument, CaseIterable { case github, gitlab, none }

    @Argument(help: .value("dir", "Root of the repository."), completion: .directory)
    var folder = "."

    @Option(
        name: .customLong("dataset"),
        help: .value("dir", "Dataset folder inside the repository (repeatable).")
    )
    var datasets: [String] = []

    @Option(help: .value("name=command", "Your own reader; see Docs/YOUR-READER.md."))
    var system: String?

    @Option(
        help: "Where the gate runs: github, gitlab or none. (default: by .github, .gitlab-ci.yml and git's remotes)"
    )
    var ci: CI?

    @Flag(help: "Replace files that exist.")
    var force = false

    func run() throws {
        let repository = Repository(URL(filePath: folder).standardizedFileURL.path)
        guard repository.contains(".git") else {
            let isBare = repository.contains("HEAD") && repository.contains("objects") && repository.contains("refs")
            throw HarnessError.configuration(
                isBare
                    ? "\(folder) is a bare repository; run 'spinebench init' in a clone of it"
                    : "\(folder) is not the root of a git repository; run 'git init' there first"
            )
        }
        let ci = ci ?? repository.ci
        var readers = ReaderOptions()
        readers.systems = [system].compactMap(\.self)
        let reader = try readers.variants().first
        let datasets = try repository.datasets(datasets)
        let gate = repository.isSpineBench ? Gate.ofSpineBench : Gate(datasets: datasets, system: system)
        var files = gate.workflow(ci, in: repository)
        if !repository.isSpineBench {
            files["spinebench.yaml"] = try Gate.suite(datasets, reader)
            files["Reports/baseline/README.md"] = String(decoding: PackageResources.baseline_md, as: UTF8.self)
            files["Reports/.gitignore"] = "/*\n!/.gitignore\n!/baseline/\n"
        }
        guard system?.contains(where: \.isNewline) != true else {
            throw HarnessError.configuration("--system has several lines; put them into a script, and specify that")
        }
        let existing = force ? [] : files.keys.filter(repository.contains).sorted()
        guard existing.count < files.count || files.isEmpty else {
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
        print(next(ci, files, datasets))
    }

    private func next(_ ci: CI, _ files: [String: String], _ datasets: [String]) -> String {
        let own =
            datasets == [Gate.ownDataset]
            ? SuiteLibrary.folder.map {
                " --dataset \(URL(filePath: "\($0)/../Datasets/spines-1").standardizedFileURL.path)"
            } : nil
        let include =
            files[Repository.gitLabInclude] == nil ? nil : "add to .gitlab-ci.yml: include: \(Repository.gitLabInclude)"
        let address =
            files.values.contains { $0.contains("SPINEBENCH_URL") }
        let steps = [
            files["spinebench.yaml"] == nil ? nil : "spinebench run --suite spinebench.yaml\(own ?? "")",
            include,
            address
                ? "set the variable SPINEBENCH_URL of the repository's CI to the address of SpineBench's repository"
                : nil,
            ci == .gitlab
                ? "for comments, set the CI/CD variable SPINEBENCH_TOKEN to a project access token with the scope api"
                : nil,
            ci == .none
                ? "no CI: 'spinebench init --ci github' or --ci gitlab writes a workflow"
                : "commit the files, and open a \(ci == .gitlab ? "merge" : "pull") request",
        ]
        return "Next:    " + steps.compactMap(\.self).joined(separator: "\n         ")
    }
}

/// A user's repository.
struct Repository {
    let path: String

    init(_ path: String) { self.path = path }

    func contains(_ file: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(file)") }

    var isSpineBench: Bool { contains("Sources/Command/spinebench") }

    /// Place of the gate where `.gitlab-ci.yml` exists.
    static let gitLabInclude = ".gitlab/spinebench.yml"

    /// The CI that the repository has or whose service its remotes are on.
    var ci: InitCommand.CI {
        if contains(".gitlab-ci.yml") { return .gitlab }
        if contains(".github") { return .github }
        return remote.map { RemoteAddress.service(of: $0.host) } ?? .none
    }

    /// Address of the remote "origin", or else of the first one, in this work tree, worktree or submodule: as the
    /// settings have it, or where that names no service, as git rewrites it (`insteadOf`).
    var remote: RemoteAddress? {
        // Git would take a repository around this folder.
        guard contains(".git") else { return nil }
        let listed = try? Git(in: path).run(["remote", "-v"])
        let rewritten = Git.text(listed?.output ?? []).split(separator: "\n").map {
            $0.split { $0 == "\t" || $0 == " " }
        }
        let addresses = [configuredRemotes, rewritten].compactMap { lines in
            (lines.first { $0.first == "origin" } ?? lines.first).flatMap {
                RemoteAddress(String($0.dropFirst().first ?? ""))
            }
        }
        return addresses.first { RemoteAddress.service(of: $0.host) != .none } ?? addresses.first
    }

    /// Names and addresses of remotes in the file of settings.
    ///
    /// A worktree's and a submodule's ".git" is a file that states the folder, and a worktree's folder the common one.
    /// Source: gitrepository-layout(5).
    private var configuredRemotes: [[Substring]] {
        func text(_ file: String) -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
        func place(_ stated: String, in folder: String) -> String {
            let stated = stated.trimmingCharacters(in: .whitespacesAndNewlines)
            return stated.hasPrefix("/") ? stated : "\(folder)/\(stated)"
        }
        var folder = "\(path)/.git"
        if let match = text(folder).firstMatch(of: /^gitdir: (.+)/) { folder = place(String(match.1), in: path) }
        let common = text("\(folder)/commondir")
        if !common.isEmpty { folder = place(common, in: folder) }
        var name = Substring()
        return text("\(folder)/config").split(separator: "\n").compactMap { line in
            if let section = line.firstMatch(of: /^\s*\[(?:remote "(.+)")?/) { name = section.1 ?? "" }
            guard !name.isEmpty, let url = line.firstMatch(of: /^\s*url\s*=\s*"?([^"\s]+)/) else { return nil }
            return [name, url.1]
        }
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
        let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        // Folders of runs have a samples.jsonl, too.
        let found = Set(
            files.filter { ["samples.jsonl", "shelves.jsonl"].contains(($0 as NSString).lastPathComponent) }
                .map { ($0 as NSString).deletingLastPathComponent }
        ).filter { !contains("\($0)/config.json") }.sorted()
        guard found.count <= 1 else {
            throw HarnessError.configuration("several datasets: \(found.joined(separator: ", ")); specify --dataset")
        }
        return found.isEmpty ? [Gate.ownDataset] : found
    }
}

/// Host and path of a repository's address: a URL, or "user@host:path".
///
/// Source: git-fetch(1), "Git URLs".
struct RemoteAddress: Equatable {
    let host: String
    /// Port of an address over HTTP; nil for the usual one.
    var port: Substring?
    let path: Substring

    init?(_ text: String) {
        if let url = text.wholeMatch(of: /([a-z+]+):\/\/(?:[^\/]*@)?([^\/:@]+)(?::([0-9]+))?\/+(.+)/.ignoresCase()) {
            if url.1.lowercased() == "file" { return nil }
            (host, port, path) = (url.2.lowercased(), url.1.lowercased().hasPrefix("http") ? url.3 : nil, url.4)
        } else if let place = text.wholeMatch(of: /(?:[^\/:@]+@)?([^\/:@]{2,}):\/?([^\\\/].*)/) {
            (host, path) = (place.1.lowercased(), place.2)
        } else {
            return nil
        }
    }

    /// Address for a browser and for clones without a key.
    var page: String { "https://\(host)\(port.map { ":\($0)" } ?? "")/\(path)" }

    /// Service that a host is called by; companies name theirs so, and GitHub those with data residency "ghe.com".
    static func service(of host: String) -> InitCommand.CI {
        if host.hasSuffix(".ghe.com") { return .github }
        let places = ["github", "gitlab"].map { host.range(of: $0)?.lowerBound ?? host.endIndex }
        return places[0] < places[1] ? .github : places[1] < host.endIndex ? .gitlab : .none
    }
}

/// The gate that CI runs, by `action.yml` or GitLab's template.
struct Gate {
    /// Folder of SpineBench in the workspace; empty for the workspace itself.
    var place: String
    /// Lines of shell before the measurement.
    var prepare: [String]
    /// File of the suite; empty for none.
    var suite: String
    /// Further arguments of `run`.
    var run: String
    /// Arguments of `compare`; empty where base and head have the same reader.
    var compare: String

    /// SpineBench's spines, where a workflow has cloned it.
    static let ownDataset = "\(clone)/Datasets/spines-1"
    private static let clone = ".spinebench"

    /// The gate of a checkout of SpineBench, whose builds it compares.
    static let ofSpineBench = Gate(
        place: "",
        prepare: ["make -C ../base build"],
        suite: "",
        run: "--dataset Datasets/spines-1 --variants fast,accurate",
        compare: "fast --against-binary ../base/.build/release/spinebench --dataset Datasets/spines-1"
    )
}

extension Gate {
    /// Creates the gate of a reader, of `system` as `--system` has it, whose command runs in the base's folder as well.
    init(datasets: [String], system: String?) {
        (place, suite, run, compare) = (Self.clone, "spinebench.yaml", "", "")
        prepare = ["# Install here what your reader needs."]
        guard let system, let end = system.firstIndex(where: { $0 == "," || $0 == "=" }),
            let command = system.firstMatch(of: /^[^=,]+(?:,[a-z-]+=[^,=]*)*=(?<protocol>(?:each:|lines:)?)/),
            !system[command.range.upperBound...].hasPrefix("http")
        else { return }
        let (settings, line) = (system[end..<command.range.upperBound], system[command.range.upperBound...])
        let sides = ["base\(settings)cd ../base && \(line)", "head\(settings)\(line)"].map(Self.quoted)
        compare =
            "base head " + sides.map { "--system \($0) " }.joined()
            + datasets.map { "--dataset \(Self.quoted($0))" }.joined(separator: " ")
    }

    /// Returns a word of the shell.
    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'\''"#) + "'" }

    /// Address of the repository that this program was built from, as git has it; nil without one.
    static let address: String? = SuiteLibrary.folder.flatMap { suites in
        Repository(URL(filePath: "\(suites)/..").standardizedFileURL.path).remote?.page
    }

    /// Returns the suite of a reader; nil is SpineBench's `fast`.
    static func suite(_ datasets: [String], _ reader: ComposedVariant?) throws -> String {
        let record = try reader?.record()
        let settings = record.map { record in
            record.settings.sorted { $0.key < $1.key }.map { "\n      \($0): \(YAMLText.quoted($1))" }.joined()
        }
        let name = YAMLText.quoted(record?.name ?? "fast")
        let variant = settings.map { "- base: system\n    name: \(name)\n    settings:\($0)" } ?? "- fast"
        // In one pass, as a command may contain an "@name" itself.
        return String(decoding: PackageResources.suite_yaml, as: UTF8.self).replacing(/@(variant|name|datasets)/) {
            match in
            match.1 == "variant" ? variant : match.1 == "name" ? name : YAMLText.list(datasets)
        }
    }

    /// Returns the workflow by its path in the repository; none without CI.
    func workflow(_ ci: InitCommand.CI, in repository: Repository) -> [String: String] {
        let own = repository.isSpineBench ? "gate" : "spinebench"
        func clone(_ variable: String) -> [String] {
            place.isEmpty ? [] : ["git clone --depth 1 \(Self.address ?? "\"\(variable)\"") \(place)"]
        }
        switch ci {
        case .none: return [:]
        case .github:
            let texts = [("suite", suite.isEmpty ? "\"\"" : suite), ("run", run.isEmpty ? nil : run)]
            let blocks = [
                "@clone": clone("${{ vars.SPINEBENCH_URL }}").map { "- run: \($0)" },
                "@with": texts.compactMap { key, text in text.map { "\(key): \($0)" } } + ["prepare: |"]
                    + prepare.map { "  \($0)" } + (compare.isEmpty ? [] : ["compare: >-", "  \(compare)"]),
            ]
            return [".github/workflows/\(own).yml": text(PackageResources.gate_github_yml, blocks)]
        case .gitlab:
            let given = [("SUITE", suite, "spinebench.yaml"), ("RUN", run, ""), ("COMPARE", compare, "")]
            let blocks = [
                "@clone": clone("$SPINEBENCH_URL"), "@prepare": prepare,
                "@compare": given.filter { $0.1 != $0.2 }.map { "export \($0.0)=\(Self.quoted($0.1))" },
            ]
            let path = repository.contains(".gitlab-ci.yml") ? Repository.gitLabInclude : ".gitlab-ci.yml"
            return [path: text(PackageResources.gate_gitlab_yml, blocks)]
        }
    }

    /// Fills the lines of a template that are a name after `@`; a line without text is left out.
    private func text(_ template: [UInt8], _ blocks: [String: [String]]) -> String {
        String(decoding: template, as: UTF8.self).replacing("./@place", with: place.isEmpty ? "./" : "./\(place)")
            .replacing(".//", with: "./").split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { line -> [String] in
                let indent = line.prefix { $0 == " " }
                guard let block = blocks[String(line.dropFirst(indent.count))] else { return [String(line)] }
                return block.map { indent + $0 }
            }.joined(separator: "\n")
    }
}
