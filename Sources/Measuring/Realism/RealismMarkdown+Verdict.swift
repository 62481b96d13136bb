import Basics
import Evaluation
import Judging
import Statistics

extension RealismMarkdown {
    /// The heading, and what is within and what is not.
    var verdict: String {
        let names = report.references.map(\.name).joined(separator: ", ")
        let lines = [
            tally("Statistics within one spread", report.statistics.map { ($0.shift.isWithin, shiftText($0)) }),
            widthText,
            tally(
                "Title-read rates within the references' intervals",
                report.rates.filter { $0.category == "all" }.map { ($0.isWithin, rateText($0)) }
            ),
            // A category that the references do not have is no shortcoming.
            tally(
                "The same by category, where the references have it",
                report.rates.filter { $0.category != "all" && $0.isWithin != nil }.map { ($0.isWithin, rateText($0)) }
            ),
            orderText,
        ]
        return "# Realism: \(report.candidate.name) beside \(names)\n\n"
            + lines.compactMap(\.self).map { "- \($0)" }.joined(separator: "\n")
    }

    /// How many are within, and which are not.
    private func tally(_ what: String, _ all: [(isWithin: Bool?, text: String)]) -> String {
        func list(_ isWithin: Bool?, _ label: String) -> String {
            let texts = all.filter { $0.isWithin == isWithin }.map(\.text)
            return texts.isEmpty ? "" : " \(label): \(texts.joined(separator: "; "))."
        }
        return "\(what): \(all.count { $0.isWithin == true }) of \(all.count)." + list(false, "Off")
            + list(nil, "Cannot be told")
    }

    /// Statistics whose medians are alike and whose values are not.
    private var widthText: String? {
        let far = report.statistics.filter { $0.shift.isWithin == true && $0.shift.wasserstein.value ?? 0 > 1 }
        if far.isEmpty { return nil }
        return "Within by the median, and yet more than one spread apart from value to value (W1): "
            + far.map { "\($0.label) \(number($0.shift.wasserstein))" }.joined(separator: "; ") + "."
    }

    private var orderText: String {
        let (contradictions, undecided) = (report.order.contradictions, report.order.undecided)
        let same =
            contradictions.isEmpty
            ? "no two sets contradict each other."
            : "not the same. " + contradictions.map { pairText($0) + "." }.joined(separator: " ")
        let open =
            undecided.isEmpty
            ? ""
            : " Undecided on at least one set: "
                + undecided.map { "\($0.first) and \($0.second)" }.joined(separator: "; ") + "."
        return "Order of the engines: " + same + open
    }

    /// "edge rise (px) (-1.20)".
    private func shiftText(_ row: RealismStatistic) -> String {
        row.label + (row.shift.median.value == nil ? "" : " \(signed(row.shift.median))")
    }

    /// Where a rate lies that is not within: "fast, vertical: 97.4 %, above 93.1 %".
    private func rateText(_ rate: RealismRate) -> String {
        let isBelow = (rate.candidate.titleRead.rate.value ?? 0) < (rate.lowest.value ?? 0)
        let name = rate.category == "all" ? rate.variant : "\(rate.variant), \(rate.category)"
        return "\(name): \(percent(rate.candidate.titleRead.rate)), "
            + (isBelow ? "below \(percent(rate.lowest))" : "above \(percent(rate.highest))")
    }

    private func pairText(_ pair: EngineOrder.Pair) -> String {
        "\(pair.first) reads better than \(pair.second) on \(pair.firstBetter.joined(separator: ", ")) and worse on "
            + pair.secondBetter.joined(separator: ", ")
    }
}
