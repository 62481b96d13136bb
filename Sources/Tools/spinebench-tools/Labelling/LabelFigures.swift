import Basics
import SpineDatasets
import Statistics

/// Figures that show the proposals' influence on labels: what labellers took who saw them, and who did not.
struct LabelFigures: Sendable, Equatable {
    struct Part: Sendable, Equatable {
        var labels = 0
        /// Labels with a title and a proposed title, and those of them that are equal, folded.
        var compared = 0
        var equal = 0
        var medianSeconds: Double?
    }

    var shown: Part
    var blind: Part

    /// Creates the figures of the samples that somebody labelled.
    init(_ samples: [Sample]) {
        func part(_ isShown: Bool) -> Part {
            let labels = samples.filter { $0.labelled?.shown == isShown }
            let pairs = labels.compactMap { label in
                label.title.flatMap { title in
                    label.labelled?.proposed.map { (FoldedText(title), FoldedText($0)) }
                }
            }
            let seconds = labels.compactMap(\.labelled?.seconds).sorted()
            return Part(
                labels: labels.count,
                compared: pairs.count,
                equal: pairs.count { $0 == $1 },
                medianSeconds: seconds.isEmpty ? nil : Percentile.nearestRank(50, of: seconds)
            )
        }
        (shown, blind) = (part(true), part(false))
    }

    /// Seconds a spine below which nobody compares a proposal with the picture.
    private static let leastSeconds = 2.0

    var sentences: [String] {
        var sentences = [
            Self.sentence(shown, "made with the proposal in view", title: "was kept"),
            Self.sentence(blind, "made blind", title: "equals the typed one"),
        ].compactMap(\.self)
        if let seconds = shown.medianSeconds, seconds < Self.leastSeconds {
            sentences.append(
                "⚠️ Below \(NumberText.short(Self.leastSeconds)) s a spine, nobody compares a proposal with the picture: "
                    + "check these labels before you compare readers by them."
            )
        }
        if shown.labels > 0, blind.labels == 0 {
            sentences.append("Proposals bias labels: label a part of the spines with --blind to measure by how much.")
        }
        return sentences
    }

    /// Returns nil for no labels; `title`: what is said of a proposed title that is that of the label.
    private static func sentence(_ part: Part, _ name: String, title: String) -> String? {
        guard part.labels > 0 else { return nil }
        let rate = Proportion(successes: part.equal, trials: part.compared)
        var text = "\(NumberText.count(part.labels, "label")) \(name)"
        if part.compared > 0 {
            text +=
                ": the proposed title, but for case and punctuation, \(title) in \(NumberText.proportion(rate)) "
                + "(95 % interval \(NumberText.interval(rate)))"
        }
        return text + (part.medianSeconds.map { ", \(NumberText.fixed($0, 1)) s a spine at the median." } ?? ".")
    }
}
