import Basics
import Documents
import Evaluation
import Judging
import SpineDatasets
import Statistics

/// A comparison for people.
package struct RealismMarkdown: Sendable {
    let report: RealismReport

    package init(_ report: RealismReport) { self.report = report }

    /// The report in UTF-8.
    package var bytes: [UInt8] { Array(text.utf8) }

    var text: String {
        let sections = [verdict, sets, rates, order, statistics, eachSet, problems, method]
        return sections.compactMap(\.self).joined(separator: "\n\n") + "\n"
    }

    // MARK: Sections

    private var sets: String {
        let rows = ([report.candidate] + report.references).map { set in
            let categories = SampleCategory.allCases.compactMap { category in
                set.categories[category.rawValue].map { "\($0) \(category.rawValue)" }
            }
            return [set.name, "\(set.spines)", "\(set.groups)", categories.joined(separator: ", "), set.digest]
        }
        return "## Sets\n\n"
            + Table(columns: ["set", "legible spines", "photos", "categories", "digest"], rows: rows, numbersFrom: 1)
            .markdown
    }

    private var rates: String {
        let names = report.references.map(\.name)
        let heading = ["engine", "category", report.candidate.name] + names + ["range of the references", "within"]
        let rows = report.rates.map { rate in
            [rate.variant, rate.category, share(rate.candidate.titleRead.proportion)]
                + rate.references.map { share($0.titleRead.proportion) }
                + [
                    rate.lowest.value == nil ? "–" : "\(percent(rate.lowest)) to \(percent(rate.highest))",
                    word(rate.isWithin),
                ]
        }
        let errors = report.rates.filter { $0.category == "all" }.map { rate in
            [rate.variant] + ([rate.candidate, rate.pooled] + rate.references).map { cer($0.characters) }
        }
        let pooled = ["engine", report.candidate.name, "references together"] + names
        return "## Reading\n\nTitle read, with 95 % intervals:\n\n"
            + Table(columns: heading, rows: rows, numbersFrom: 2).markdown
            + "\n\nCER, pooled over the spines (errors / characters):\n\n"
            + Table(columns: pooled, rows: errors, numbersFrom: 1).markdown
    }

    private var order: String {
        let rows = report.order.rankings.map { [$0.set, $0.text] }
        return
            "## Order of the engines\n\n`>`: the 95 % intervals are apart; `≈`: they overlap, and the pair is undecided "
            + "on that set.\n\n" + Table(columns: ["set", "by title read"], rows: rows, numbersFrom: .max).markdown
    }

    private var statistics: String {
        let rows = report.statistics.map { row in
            func text(_ figure: Figure) -> String { figure.value.map { NumberText.fixed($0, row.decimals) } ?? "–" }
            return [row.label]
                + [row.pooled, row.candidate].flatMap { ["\($0.count)", text($0.p10), text($0.p50), text($0.p90)] }
                + [
                    text(row.spread), signed(row.shift.median), number(row.shift.kolmogorovSmirnov),
                    number(row.shift.wasserstein), number(row.betweenReferences), word(row.shift.isWithin),
                ]
        }
        let heading =
            ["statistic"] + ["real n", "P10", "P50", "P90"] + ["\(report.candidate.name) n", "P10", "P50", "P90"]
            + ["spread", "shift", "KS", "W1", "real sets apart", "within"]
        return
            "## Statistics\n\nThe references together, then \(report.candidate.name). Shift, W1 and the distance of the "
            + "real sets are in spreads of the references; a shift above 0 says that the candidate's median is larger.\n\n"
            + Table(columns: heading, rows: rows, numbersFrom: 1).markdown
    }

    private var eachSet: String? {
        guard report.references.count > 1 else { return nil }
        let rows = report.statistics.map { row in
            [row.label]
                + ([row.candidate] + row.references).map { summary in
                    let values = [summary.p10, summary.p50, summary.p90].map { figure in
                        figure.value.map { NumberText.fixed($0, row.decimals) } ?? "–"
                    }
                    let missing = summary.missing == 0 ? "" : " (without: \(summary.missing))"
                    return values.joined(separator: " · ") + missing
                }
        }
        let names = ([report.candidate] + report.references).map(\.name)
        return "## Each set\n\nP10 · P50 · P90, and how many spines the figure cannot be had of.\n\n"
            + Table(columns: ["statistic"] + names, rows: rows, numbersFrom: 1).markdown
    }

    private var problems: String? {
        report.problems.isEmpty
            ? nil : "## Problems\n\n" + report.problems.map { "- \(Markdown.line($0))" }.joined(separator: "\n")
    }

    private var method: String {
        let general = [
            "Only legible spines count. A reading that failed counts as nothing read.",
            "Where text is, the lines of the variant `\(report.lineFinder)` say, on every set: no set's own labels are used "
                + "for geometry. Its mistakes are in these figures, the same way on all sides.",
            "Black that is connected with a picture's border (luma up to 8) is a segmenter's paint and no part of a picture.",
            "P10, P50 and P90 are nearest ranks. The spread is the interquartile range of the references together over "
                + "1.349: the standard deviation of normally distributed values, and not widened by long tails. Shift: "
                + "difference of the medians; KS: Kolmogorov–Smirnov distance, 0 to 1; W1: Wasserstein-1 distance.",
            "A statistic is within when its shift is 1 or less; a title-read rate, when it lies between the lowest and "
                + "the highest end of the references' 95 % intervals (Wilson). Spines of one photo are not independent: "
                + "the true intervals are wider.",
            "Transcriptions may leave out tiny marks that an engine reads: a CER has some insertions of that kind in it.",
        ]
        // Statistics that are measured alike stand side by side, and share a line.
        var each: [(labels: [String], method: String)] = []
        for statistic in SpineStatistic.allCases {
            if each.last?.method == statistic.method {
                each[each.count - 1].labels.append(statistic.label)
            } else {
                each.append(([statistic.label], statistic.method))
            }
        }
        let lines = general + each.map { "*\($0.labels.joined(separator: "; "))*: \($0.method)" }
        return "## Method\n\n" + lines.map { "- \($0)" }.joined(separator: "\n")
    }

    // MARK: Cells

    private func share(_ proportion: Proportion) -> String {
        proportion.trials == 0
            ? "–"
            : "\(NumberText.proportion(proportion)) \(NumberText.interval(proportion))"
    }

    private func cer(_ counts: EditCounts) -> String {
        counts.rate.value.map { "\(NumberText.fixed($0, 3)) (\(counts.errors) / \(counts.referenceLength))" } ?? "–"
    }

    func number(_ figure: Figure) -> String { figure.value.map { NumberText.fixed($0, 2) } ?? "–" }

    func signed(_ figure: Figure) -> String {
        figure.value.map { ($0 > 0 ? "+" : "") + NumberText.fixed($0, 2) } ?? "–"
    }

    private func word(_ isWithin: Bool?) -> String { isWithin.map { $0 ? "yes" : "**no**" } ?? "–" }

    func percent(_ figure: Figure) -> String { figure.value.map(NumberText.percent) ?? "–" }
}
