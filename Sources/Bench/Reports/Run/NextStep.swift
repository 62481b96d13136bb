import Basics
import Documents
import Evaluation
import Harness
import Statistics

/// What to do after a run: it follows from what was missed, or from the reason why nothing is decided.
struct NextStep {
    /// With `FOLDER/` before a file, and `RUN` for the run's folder.
    private let text: String

    init(_ result: RunResult) {
        let gating = result.compliance.filter(\.gates)
        let missed = gating.filter { $0.judgement.verdict == .fail }
        let open = gating.filter { $0.judgement.verdict == .inconclusive }
        let isElsewhere = result.configuration.variants.allSatisfy { $0.origin != nil }
        let again = isElsewhere ? "score" : "run"
        let spines = result.datasets.map(\.samplesRead).min() ?? 0
        let repetitions = spines == 0 ? 0 : (Percentile.minimumCount(for: 95) + spines - 1) / spines
        let broken = result.measurements.flatMap(\.validity).filter { !$0.isMet }
        let isOfTimes =
            open.contains { $0.metric?.percent != nil } || broken.contains { $0.name.hasPrefix("readings for P") }
        let isMore = repetitions > result.configuration.repetitions
        // Of fewer spines none may be as slow as a P95, however often each is read.
        let isOfFew = isOfTimes && spines < 20
        let names = result.configuration.variants.map(\.name).joined(separator: ",")
        text =
            switch result.verdict {
            case _ where result.measurements.contains(where: \.readsNothing):
                "mend what the first line says, and run again"
            case .pass: "spinebench gate RUN, or spinebench compare EARLIER RUN with an earlier run"
            case .fail where missed.contains { $0.metric?.isOfShelves == true }:
                "check the photos whose books were missed: `FOLDER/\(RunReports.Name.html)#samples`"
            case .fail where missed.contains { $0.rate != nil }:
                "check the spines that were missed: \(Self.missed)"
            case .fail: "find the slow or large stage in the report"
            case .inconclusive where result.isPartial:
                "finish the run and check it again: spinebench run --resume RUN"
            case _ where isOfFew || open.contains { $0.metric?.family == .accuracy }:
                (result.datasets.contains { $0.samplesRead < $0.samples } ? "run without --limit, or " : "")
                    + "add \(Self.samples(open)): more readings of the same ones decide nothing; those that were missed: "
                    + Self.missed
            case _ where result.exitCode == 3 && !isElsewhere && isOfTimes && isMore:
                "run again with --repetitions \(repetitions), enough for a P95"
            case .inconclusive: "see what is not decided, and why: FOLDER/\(RunReports.Name.markdown)"
            case nil where result.exitCode != 0: "\(again) again, as times do not count"
            case nil where result.isOfOtherReaders:
                "check the spines that were missed: \(Self.missed); for targets of your own: spinebench suites smoke"
            case nil where result.compliance.isEmpty:
                "open the report, or get a verdict: spinebench run --suite standard"
            case nil where isElsewhere: "score again with --gate \(names)"
            case nil: "get a verdict: spinebench run --like RUN --gate \(names)"
            }
    }

    private static let missed = "`FOLDER/\(RunReports.Name.html)#outcome=wrong`"

    /// "spines of the categories inverted, stylized, at least 22 of each", of shares that are undecided.
    private static func samples(_ open: [Answer]) -> String {
        let shares = open.filter { $0.metric?.family == .accuracy }
        let noun = shares.contains { $0.metric?.isOfShelves == true } ? "photos" : "spines"
        let names = Set(shares.compactMap(\.claim.category)).sorted()
        let least = shares.map { Bound($0.claim.comparator, $0.claim.limit).minimumTrials }.max() ?? 20
        let number = least > shares.compactMap(\.rate?.trials).min() ?? 0 ? ", at least \(least)" : ""
        if names.isEmpty { return noun + number }
        let categories = "\(names.count == 1 ? "category" : "categories") \(names.joined(separator: ", "))"
        return "\(noun) of the \(categories)\(number)" + (number.isEmpty || names.count == 1 ? "" : " of each")
    }

    func inTerminal(_ folder: String, run: String) -> String {
        Markdown.plain(text.replacing("FOLDER", with: folder).replacing("RUN", with: run))
    }

    /// For a page beside the files; it makes a link of a place in itself.
    var onPage: String { text.replacing("FOLDER/", with: "") }
}

extension RunResult {
    /// "mine is 1.80 times as fast as fast [1.62, 2.01]: P50 12.1 ms and 21.8 ms.", for each pair, and what the intervals
    /// are of.
    var speedTexts: [String] {
        func p50(_ id: String) -> String {
            let latency = measurements.first { $0.id == id }?.all.latency
            return latency?.p50.point.value.map(NumberText.milliseconds) ?? "–"
        }
        return (speeds ?? []).map { one in
            let doubt = one.ratio.low.map { $0 <= 1 ? ", which is not beyond chance" : "" } ?? " (without an interval)"
            return one.text + doubt
                + ": P50 \(p50(one.faster)) and \(p50(one.slower))."
        } + ((speeds ?? []).contains { $0.ratio.low != nil } ? ReportText.of("speeds") : [])
    }
}

extension SpeedRatio {
    /// "mine is 1.80 times as fast as fast [1.62, 2.01]".
    var text: String {
        let ends = [ratio.low, ratio.high].compactMap(\.self).map { NumberText.fixed($0, 2) }.joined(separator: ", ")
        return "\(faster) is \(NumberText.fixed(ratio.value, 2)) times as fast as \(slower)"
            + (ends.isEmpty ? "" : " [\(ends)]")
    }
}
