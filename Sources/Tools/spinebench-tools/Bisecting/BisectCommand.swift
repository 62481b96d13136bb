import ArgumentParser
import Basics
import Composition
import Evaluation
import Foundation
import Harness
import Results
import SpineDatasets

struct BisectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bisect",
        abstract: "Find the commit that made a reader slower, larger or less accurate.",
        discussion: """
            For example:

              spinebench bisect --good v1.2 --bad main -- run --dataset Datasets/spines-1 --variants fast
              spinebench bisect --good v1.2 --bad HEAD --build 'pip install -e .' --metric p95 --threshold 5% \
            -- run --dataset spines --system "mine=python3 reader.py"
              spinebench bisect --good v1.2 --bad HEAD --metric title-read -- run --dataset spines --variants fast

            The search is that of 'git bisect', in worktrees of its own under --out; the worktree of the user is not \
            touched. Each build is compared with the good one in turns, as by 'spinebench compare', by the first variant. \
            A command of --system runs in the folder of the build; other variants run the built program of --program.

            The bad build is compared first. It sets the rounds of readings for the others, and the plan is printed: at most \
            ⌈log2 n⌉ + 1 builds beside the good one. A build is bad or good when its whole interval is above or below the threshold. \
            It is read up to \(BisectRule.mostLooks) times, and skipped when that does not decide. A build that fails is skipped.

            A stopped search continues with --resume DIR.

            Exit codes: 0 found, 2 invalid usage, commit or dataset, 3 not decided: skipped builds hide the commit, or the bad \
            build is not worse, 4 something is missing on this machine, 130 and 143 stopped by a signal.
            """
    )

    @Option(help: .value("rev", "Commit of the good build."))
    var good: String?

    @Option(help: .value("rev", "Commit of the bad build."))
    var bad: String?

    @Option(help: .value("command", "Build command, run by a shell in the worktree of a commit."))
    var build = "make build"

    @Option(
        help: .value("metric", "Metric that got worse: one that 'compare' gates, such as latency, p95 or title-read.")
    )
    var metric = "latency"

    @Option(
        help: .value(
            "change",
            "Change that parts good from bad, such as 5% or 2. (default: half the change of the bad build)"
        )
    )
    var threshold: String?

    @Option(help: .value("path", "Program of a build, relative to its worktree, for variants without a command."))
    var program = ".build/release/spinebench"

    @Option(help: "Rounds of readings of the first comparison.")
    var rounds = 4

    @Option(help: .value("dir", "Repository to search in. (default: the working folder)"))
    var repository = "."

    @Option(help: .value("dir", "Output folder: a new one. (default: Reports/bisect/<UTC time>)"))
    var out: String?

    @Option(help: .value("dir", "Folder of a stopped search to continue."))
    var resume: String?

    @Argument(
        parsing: .postTerminator,
        help: .value("run …", "After --: 'run' with --dataset and --variants or --system.")
    )
    var command: [String] = []

    func validate() throws {
        try refuse([
            (
                resume == nil && (good == nil || bad == nil),
                "Specify --good REV and --bad REV, or --resume DIR to continue a stopped search."
            ),
            (
                resume == nil && command.first != "run",
                "Specify what to read after --: spinebench bisect --good REV --bad REV -- run --dataset DIR --variants fast"
            ),
            (
                resume != nil && (good != nil || bad != nil || !command.isEmpty || out != nil || threshold != nil),
                "--resume takes everything else from the stopped search; remove the other options."
            ),
            (!(1...BisectRule.mostRounds).contains(rounds), "Invalid --rounds \(rounds): expected 1 to 16."),
        ])
    }

    static let stateName = "bisect.json"

    func run() async throws {
        try await OwnThread.run {
            let folder = URL(filePath: resume ?? out ?? "Reports/bisect/\(RunClock.folderName())").standardizedFileURL
                .path
            try search(in: folder, try resume == nil ? begin(folder) : Self.stored(folder))
        }
    }

    /// Returns the state of a new search; its folder is made.
    private func begin(_ folder: String) throws -> Bisection.State {
        guard let metric = Metric.named(metric), Metric.compared.contains(metric) else {
            let names = Metric.compared.map(\.id).joined(separator: ", ")
            throw ValidationError("Invalid --metric '\(metric)': expected one of \(names).")
        }
        let path = try GitFolder(path: repository).git("rev-parse", "--show-toplevel")
        let repository = GitFolder(path: path)
        let (good, bad) = (try repository.commit(good ?? ""), try repository.commit(bad ?? ""))
        let count = Int(try repository.git("rev-list", "--count", "\(good)..\(bad)")) ?? 0
        let isAncestor = try repository.git("merge-base", good, bad) == good
        guard count > 0, isAncestor else {
            throw HarnessError.configuration("--good \(self.good ?? "") is not an ancestor of --bad \(self.bad ?? "")")
        }
        let manager = FileManager.default
        guard !manager.fileExists(atPath: "\(folder)/\(Self.stateName)") else {
            throw HarnessError.runFolder(path: folder, problem: "already contains a search; continue it with --resume")
        }
        let state = Bisection.State(
            repository: path,
            build: build,
            program: program,
            arguments: command,
            metric: metric,
            threshold: try threshold.map { try Self.change($0, metric) },
            rounds: rounds,
            search: BisectSearch(good: good, bad: bad, candidates: count)
        )
        _ = try BisectedRun.parsed(state.arguments)
        try manager.createDirectory(atPath: "\(folder)/builds", withIntermediateDirectories: true)
        try Self.write(state, folder)
        return state
    }

    private static func stored(_ folder: String) throws -> Bisection.State {
        let path = "\(folder)/\(stateName)"
        guard let data = FileManager.default.contents(atPath: path) else {
            throw HarnessError.runFolder(
                path: folder,
                problem: "has no \(stateName); expected the --out of a stopped search"
            )
        }
        do { return try JSONDecoder().decode(Bisection.State.self, from: data) } catch {
            throw HarnessError.runFolder(path: path, problem: JSONLine.reason(of: error))
        }
    }

    private static func write(_ state: Bisection.State, _ folder: String) throws {
        try Data(JSONFile.bytes(state)).write(to: URL(filePath: "\(folder)/\(stateName)"), options: .atomic)
    }

    /// Returns a change as the metric has it: "5%" and "5" are 0.05 of a ratio or a share.
    static func change(_ text: String, _ metric: Metric) throws -> Double {
        let tolerances = try ComparisonTolerances.parse("\(metric.id)=\(text)")
        guard let change = tolerances[metric], change > 0 else {
            throw ValidationError("Invalid --threshold '\(text)': expected a change above 0, such as 5%.")
        }
        return change
    }

    private func search(in folder: String, _ state: Bisection.State) throws {
        let interruption = Signals.interruption()
        let repository = GitFolder(path: state.repository)
        let reading = try BisectedRun.parsed(state.arguments).comparison(of: state, interruption: interruption)
        let (goodFolder, folderOfBuilds) = ("\(folder)/good", "\(folder)/candidate")
        let count = NumberText.count(state.search.candidates, "commit")
        print(
            "\(count) after \(repository.title(state.search.good)); at most \(NumberText.count(state.search.mostBuilds, "build")) beside the good one. Folder: \(folder)"
        )
        let good = try repository.worktree(goodFolder, at: state.search.good)
        let log = { (commit: String) in "\(folder)/builds/\(commit.prefix(12)).log" }
        print("Building \(repository.title(state.search.good)), the good one.")
        guard try good.shell(state.build, output: log(state.search.good), interruption: interruption) else {
            throw HarnessError.configuration("the good commit does not build; see \(log(state.search.good))")
        }
        let worktree = try repository.worktree(folderOfBuilds, at: state.search.bad)
        var bisection = Bisection(
            state: state,
            worktree: worktree,
            save: { try Self.write($0, folder) },
            note: { print($0) },
            build: { commit in
                try worktree.checkOut(commit)
                return try worktree.shell(state.build, output: log(commit), interruption: interruption)
            },
            measure: { commit, rounds, look in
                try reading.measure(
                    good: goodFolder,
                    other: folderOfBuilds,
                    rounds: rounds,
                    seed: UInt64(look),
                    in: "\(folder)/\(commit.prefix(12))-\(look)"
                )
            }
        )
        let outcome = try bisection.run()
        try worktree.git("bisect", "reset")
        for path in [goodFolder, folderOfBuilds] { try repository.git("worktree", "remove", "--force", path) }
        print(Self.text(outcome, bisection.state, repository, folder))
        guard case .found = outcome else { throw ExitCode(3) }
    }

    private static func text(
        _ outcome: Bisection.Outcome,
        _ state: Bisection.State,
        _ repository: GitFolder,
        _ folder: String
    ) -> String {
        let compared = "\(NumberText.count(state.compared, "build")) compared with the good one"
        switch outcome {
        case .found(let commit, let evidence):
            let before = state.search.decisions.last { $0.verdict == .good }
            let lines = [
                "First bad commit: \(repository.title(commit))",
                evidence.map {
                    "  \(state.metric.meaning.name): \(Bisection.text($0, state.metric)) than the good build"
                },
                evidence.flatMap { $0.detail.isEmpty ? nil : "  \($0.detail)" },
                before.flatMap { before in
                    before.evidence.map {
                        "  before it, \(repository.title(before.commit)): \(Bisection.text($0, state.metric))"
                    }
                },
                "  \(compared); report: \(folder)/\(commit.prefix(12))-1/comparison.md",
            ]
            return lines.compactMap(\.self).joined(separator: "\n")
        case .open(let commits):
            let titles = commits.map { "  \(repository.title($0))" }.joined(separator: "\n")
            return
                "Not decided: skipped builds hide which of these commits is the first bad one.\n\(titles)\n  \(compared)"
        case .same(let verdict):
            let reason =
                switch verdict {
                case .good: "the bad build is not worse than the good one by the threshold"
                case .notBuilt: "the bad build failed; see \(folder)/builds"
                default: "the readings do not show that the bad build is worse; use more --rounds or more samples"
                }
            return "Not decided: \(reason)."
        }
    }
}

/// The options of `run` that a search reads by.
struct BisectedRun: ParsableArguments {
    @Option(name: .customLong("dataset"))
    var dataset: String

    @Option(help: .value("names", "Variants, of which the first one is read."))
    var variants: NameList?

    @OptionGroup var readers: ReaderOptions

    @Option var limit: Int?

    @Option var timeout: Double = 30

    static func parsed(_ arguments: [String]) throws -> BisectedRun {
        do { return try parse(Array(arguments.dropFirst())) } catch {
            throw HarnessError.configuration(
                "invalid arguments after --: \(message(for: error)); expected run --dataset DIR, --variants or --system, "
                    + "and --limit or --timeout"
            )
        }
    }

    func comparison(of state: Bisection.State, interruption: Interruption) throws -> BuildComparison {
        let known = try readers.variants()
        let named = try ComposedVariant.list(variants?.compactNames ?? [], known: known)
        guard let variant = named.first ?? known.first else {
            throw HarnessError.configuration("no variant after --: expected --variants NAME or --system NAME=COMMAND")
        }
        let path = URL(filePath: dataset).standardizedFileURL.path
        return BuildComparison(
            dataset: try DatasetLoader().load(path),
            variant: variant,
            metric: state.metric,
            limit: limit,
            timeout: timeout,
            program: state.program,
            interruption: interruption
        )
    }
}
