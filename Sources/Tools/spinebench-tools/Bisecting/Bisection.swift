import Basics
import Evaluation
import Foundation
import Results

/// Search for the first bad build: which builds are made, how often they are read, and what is decided.
struct Bisection {
    /// Everything that a search continues from, in `bisect.json`.
    struct State: Sendable, Equatable, Codable {
        var repository: String
        var build: String
        /// The built program of variants that are not a user's command, relative to a worktree.
        var program: String
        /// Arguments of `run` that name the dataset, the variant and the number of samples.
        var arguments: [String]
        var metric: Metric
        /// Threshold of the user's; nil for half the change of the bad build.
        var threshold: Double?
        /// Rounds of the first comparison, and then of each build.
        var rounds: Int
        var search: BisectSearch
        /// The bad build beside the good one, which sets the threshold and the rounds.
        var badEvidence: BuildEvidence?
        var rule: BisectRule?
        /// Builds that were compared with the good one, and the seconds that they took to build and to read.
        var compared = 0
        var buildSeconds = 0.0
        var readSeconds = 0.0
        /// Rounds that took `readSeconds`.
        var readRounds = 0
    }

    enum Outcome: Equatable {
        case found(String, BuildEvidence?)
        /// Skipped builds hide which of these commits it is.
        case open([String])
        /// The bad build is not worse than the good one by the threshold; with its verdict.
        case same(BisectRule.Verdict)
    }

    var state: State
    let worktree: GitFolder
    let save: (State) throws -> Void
    let note: (String) -> Void
    /// Builds a commit; false when it fails.
    let build: (_ commit: String) throws -> Bool
    /// Compares the current build with the good one; `look` counts from 1.
    let measure: (_ commit: String, _ rounds: Int, _ look: Int) throws -> Result<BuildEvidence, BisectError>

    mutating func run() throws -> Outcome {
        let rule: BisectRule
        if let known = state.rule {
            rule = known
        } else {
            let (made, verdict) = try ruleOfEnds()
            guard let made else { return .same(verdict) }
            rule = made
        }
        note(plan(rule))
        var step = try state.search.begin(in: worktree)
        while case .build(let commit) = step {
            let decision = try decide(commit, rule)
            state.search.decisions.append(decision)
            try save(state)
            let left = state.search.decisions.count
            note("\(left). \(worktree.title(commit)): \(decision.verdict.rawValue)\(text(decision))")
            step = try state.search.mark(decision, in: worktree)
        }
        switch step {
        case .found(let commit):
            let own = state.search.decisions.last { $0.commit == commit }?.evidence
            return .found(commit, commit == state.search.bad ? own ?? state.badEvidence : own)
        case .open(let commits): return .open(commits)
        case .build: preconditionFailure("the loop ends at another step")
        }
    }

    /// Measures the bad build, until it is certain that it is worse; the rule is nil when it is not.
    private mutating func ruleOfEnds() throws -> (BisectRule?, BisectRule.Verdict) {
        // Without a threshold, any certain change decides, and its half parts the builds.
        let first = BisectRule(metric: state.metric, threshold: state.threshold ?? 0)
        let decision = try decide(state.search.bad, first)
        guard let evidence = decision.evidence, decision.verdict == .bad else {
            note("\(worktree.title(state.search.bad)): \(decision.verdict.rawValue)\(text(decision))")
            return (nil, decision.verdict)
        }
        let rule = BisectRule(metric: state.metric, threshold: state.threshold ?? evidence.change / 2)
        (state.badEvidence, state.rule, state.rounds) = (evidence, rule, rule.rounds(by: evidence))
        try save(state)
        note("\(worktree.title(state.search.bad)): \(decision.verdict.rawValue)\(text(decision))")
        return (rule, .bad)
    }

    /// Builds and measures a commit until it is decided, or ``BisectRule/mostLooks`` times.
    private mutating func decide(_ commit: String, _ rule: BisectRule) throws -> BisectSearch.Decision {
        let clock = ContinuousClock()
        var isBuilt = false
        let building = try clock.measure { isBuilt = try build(commit) }
        guard isBuilt else {
            return .init(commit: commit, verdict: .notBuilt, evidence: nil, reason: "the build failed")
        }
        state.compared += 1
        state.buildSeconds += building / .seconds(1)
        var evidence: BuildEvidence?
        for look in 1...BisectRule.mostLooks {
            var result: Result<BuildEvidence, BisectError>?
            let reading = try clock.measure { result = try measure(commit, state.rounds, look) }
            state.readSeconds += reading / .seconds(1)
            state.readRounds += state.rounds
            switch result {
            case .failure(let error):
                return .init(commit: commit, verdict: .notMeasured, evidence: evidence, reason: "\(error)")
            case .success(let new): evidence = evidence?.combined(with: new) ?? new
            case nil: break
            }
            if let evidence, rule.verdict(evidence) != .undecided { break }
        }
        return .init(commit: commit, verdict: evidence.map(rule.verdict) ?? .undecided, evidence: evidence)
    }

    /// Returns the builds, readings and minutes that are left at most, unless a build needs several looks.
    func plan(_ rule: BisectRule) -> String {
        let left = max(0, state.search.mostBuilds - 1 - state.search.decisions.count)
        var text =
            "Plan: at most \(NumberText.count(left, "build")) more, \(NumberText.count(state.rounds, "round")) each"
        if state.compared > 0, state.readRounds > 0 {
            let perBuild = state.buildSeconds / Double(state.compared)
            let perRound = state.readSeconds / Double(state.readRounds)
            let seconds = Double(left) * (perBuild + perRound * Double(state.rounds))
            text += ", about \(NumberText.span(seconds: seconds))"
        }
        let size = rule.metric.meaning.unit.size
        text += ". A build is bad above \(size(rule.threshold)), with its whole interval."
        if let evidence = state.badEvidence, state.rounds == BisectRule.mostRounds {
            text +=
                " Its interval of ±\(size(evidence.halfWidth)) after \(evidence.rounds) rounds is wide for that: builds may stay undecided."
        }
        return text
    }

    private func text(_ decision: BisectSearch.Decision) -> String {
        if let reason = decision.reason { return ", \(reason)" }
        return decision.evidence.map { ", \(Self.text($0, state.metric))" } ?? ""
    }

    /// Returns "worse by 9.8 % (7.1 % to 12.6 %, 4 rounds)".
    static func text(_ evidence: BuildEvidence, _ metric: Metric) -> String {
        func size(_ harm: Double) -> String { (harm < 0 ? "−" : "") + metric.meaning.unit.size(harm) }
        return "\(evidence.change < 0 ? "better" : "worse") by \(metric.meaning.unit.size(evidence.change)) "
            + "(\(size(evidence.lower)) to \(size(evidence.upper)), \(NumberText.count(evidence.rounds, "round")))"
    }
}
