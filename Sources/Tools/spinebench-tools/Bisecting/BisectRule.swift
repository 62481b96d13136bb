import Basics
import Evaluation
import Foundation
import Results

/// Change of a build against the good one, as far as it was measured.
///
/// Changes are to the bad: of latency and memory a ratio less 1, of shares a difference.
struct BuildEvidence: Sendable, Equatable, Codable {
    var change: Double
    /// Ends of the interval at 95 %.
    var lower: Double
    var upper: Double
    /// Rounds of readings that it comes from.
    var rounds: Int
    /// The stage or the slice that changed most, in a sentence; empty for none.
    var detail = ""

    /// Creates the evidence of one comparison; the reason when it has none.
    ///
    /// Texts do not depend on the machine, and every build reads the same samples: of accuracy the interval is what readings
    /// of the good build differ by, not what other samples would.
    static func of(_ row: ComparisonRow, rounds: Int) -> Result<BuildEvidence, BisectError> {
        guard let change = row.change.value else { return .failure(.notMeasured(row.change.reason ?? row.note)) }
        let harm = row.metric.harm(change)
        if row.metric.meaning.family == .accuracy {
            let noise = row.noise.value ?? 0
            return .success(BuildEvidence(change: harm, lower: harm - noise, upper: harm + noise, rounds: rounds))
        }
        guard let ends = row.interval.value else { return .failure(.notMeasured(row.interval.reason ?? row.note)) }
        let harms = [row.metric.harm(ends.lowerBound), row.metric.harm(ends.upperBound)].sorted()
        return .success(BuildEvidence(change: harm, lower: harms[0], upper: harms[1], rounds: rounds))
    }

    var halfWidth: Double { (upper - lower) / 2 }

    /// Returns the evidence of independent measurements of one build, weighted by the inverse squares of their widths.
    func combined(with other: BuildEvidence) -> BuildEvidence {
        guard halfWidth > 0, other.halfWidth > 0 else { return halfWidth > 0 ? other : self }
        let (own, others) = (1 / (halfWidth * halfWidth), 1 / (other.halfWidth * other.halfWidth))
        let middle = (change * own + other.change * others) / (own + others)
        let half = (1 / (own + others)).squareRoot()
        return BuildEvidence(
            change: middle,
            lower: middle - half,
            upper: middle + half,
            rounds: rounds + other.rounds,
            detail: other.detail.isEmpty ? detail : other.detail
        )
    }
}

/// Decision on a build by its change against the good one.
struct BisectRule: Sendable, Equatable, Codable {
    enum Verdict: String, Sendable, Codable {
        case good, bad
        /// The readings did not decide.
        case undecided
        case notBuilt = "not built"
        case notMeasured = "not measured"

        /// Command of `git bisect` for it.
        var term: String { self == .good || self == .bad ? rawValue : "skip" }
    }

    var metric: Metric
    /// Change that parts good builds from bad ones.
    var threshold: Double

    /// Times that a build is measured before it is skipped.
    static let mostLooks = 3

    /// Returns bad or good when the whole interval is on one side of the threshold.
    func verdict(_ evidence: BuildEvidence) -> Verdict {
        if evidence.lower > threshold { return .bad }
        return evidence.upper < threshold ? .good : .undecided
    }

    /// Returns the rounds that decide 19 of 20 builds that are as good as the good one or as bad as the bad one, by the
    /// width that `evidence` of the bad one has.
    ///
    /// A build whose change is at the distance d of the threshold is decided when its estimate is nearer to the truth than d
    /// less half the interval: with 95 % at d = (1 + 1.645 / 1.96) of the half. Widths shrink with the root of the rounds.
    func rounds(by evidence: BuildEvidence) -> Int {
        let distance = min(threshold, evidence.change - threshold)
        guard distance > 0, evidence.halfWidth > 0 else { return evidence.rounds }
        let wanted = distance / (1 + Normal.quantile(0.95) / Normal.quantile(0.975))
        let factor = evidence.halfWidth / wanted
        return max(
            Self.leastRounds,
            min(Self.mostRounds, Int((Double(evidence.rounds) * factor * factor).rounded(.up)))
        )
    }

    /// Two rounds are the fewest whose processes show a spread on a small dataset.
    static let leastRounds = 2
    static let mostRounds = 16
}

enum BisectError: Error, Equatable, CustomStringConvertible {
    /// The metric of a comparison has no change, or no interval.
    case notMeasured(String)

    var description: String {
        switch self {
        case .notMeasured(let reason): "not measured: \(reason)"
        }
    }
}

/// Search of `git bisect` in a worktree of its own, whose state is git's, and whose decisions are recorded here.
struct BisectSearch: Sendable, Equatable, Codable {
    /// Decision on one build, in the order of the search.
    struct Decision: Sendable, Equatable, Codable {
        var commit: String
        var verdict: BisectRule.Verdict
        var evidence: BuildEvidence?
        /// Reason of a build that was skipped.
        var reason: String?
    }

    enum Step: Sendable, Equatable {
        case build(String)
        case found(String)
        /// Skipped builds hide which of these commits it is.
        case open([String])
    }

    var good: String
    var bad: String
    /// Number of commits that may be the first bad one.
    var candidates: Int
    var decisions: [Decision] = []

    /// Most builds that are compared with the good one: the bad one, and those of the search.
    var mostBuilds: Int { 1 + Int(log2(Double(max(1, candidates))).rounded(.up)) }

    /// Starts git's search in `worktree`, repeats the decisions, and returns what is next.
    func begin(in worktree: GitFolder) throws -> Step {
        try worktree.git("bisect", "reset")
        var step = try Self.step(worktree.git("bisect", "start", "--no-checkout", bad, good), worktree)
        for decision in decisions { step = try mark(decision, in: worktree) }
        return step
    }

    /// Passes a decision on to git, and returns what is next.
    func mark(_ decision: Decision, in worktree: GitFolder) throws -> Step {
        let output = try worktree.git("bisect", decision.verdict.term, decision.commit, accepting: [0, 2])
        return try Self.step(output, worktree)
    }

    private static func step(_ output: String, _ worktree: GitFolder) throws -> Step {
        for line in output.split(separator: "\n") where line.hasSuffix(" is the first bad commit") {
            return .found(String(line.prefix { $0 != " " }))
        }
        if output.contains("The first bad commit could be any of:") {
            return .open(
                output.split(separator: "\n").map(String.init).filter { $0.count >= 40 && $0.allSatisfy(\.isHexDigit) }
            )
        }
        return .build(try worktree.git("rev-parse", "BISECT_HEAD"))
    }
}
