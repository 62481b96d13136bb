import Basics
import Evaluation
import Harness
import Results

/// How a run's figures were taken, and with what, in words.
struct MethodText: Sendable {
    let result: RunResult

    /// What the figures mean, a paragraph each.
    var paragraphs: [String] {
        let run = result.configuration
        let method =
            switch run.percentileMethod {
            case .nearestRank: "nearest rank"
            case .seed: "the value at index ⌊n·p⌋ of the sorted ones (the project documents' formula)"
            }
        let small = Proportion.minimumTrials(toShow: 0.85)
        let rule =
            switch run.decideBy {
            case .point:
                "A target is met or missed by the figure itself, and the note says when its interval leaves the matter open; "
                    + "below \(small) spines only an interval clear of the target decides a share"
            case .interval: "A target is met or missed only when the whole interval is on one side of it"
            }
        return [
            "Each measurement ran in a process of its own. A worker read "
                + "\(NumberText.count(run.warmUpReadings, "spine")) to warm up before its first counted reading.",
            "Latency is wall-clock time from the bytes of the file in memory to the prediction, by the harness's clock. "
                + "Percentiles are \(method), over all repetitions; a reading that timed out is longer than any other. They are "
                + "claimed from \(Percentile.minimumCount(for: 50)) (P50), \(Percentile.minimumCount(for: 90)) (P90), "
                + "\(Percentile.minimumCount(for: 95)) (P95) and \(Percentile.minimumCount(for: 99)) (P99) readings on: with "
                + "fewer, not even the longest one bounds them with 99 % confidence.",
            "The bounds of a percentile hold at 95 % whatever the distribution (order statistics). They take as many readings "
                + "as there are different spines, because repetitions of one spine are alike.",
            "MLPerf P90 is the early-stopping estimate of its single-stream scenario: not exceeded with 99 % confidence.",
            "“Inference” is the share of latency inside the models, by the system's own account (reported, not measured).",
            "Accuracy counts every legible spine once, by its first repetition; a reading that failed counts as nothing read. "
                + "What a back end read counts by the lines that it says it read, never by the title of the book that it named; "
                + "where it does not say, the spine is scored for the book alone.",
            "Title read: every word of the title is found in the text, in any order, at an edit similarity of 0.8 or more, "
                + "also when words were glued or split; author read likewise. CER and WER are pooled over the spines (micro "
                + "average), against the whole transcription, in reading order, with case and punctuation; characters are "
                + "grapheme clusters after NFC. 1-NED (mean) and word F1 (pooled, any order) are of folded text: no case, "
                + "accents or punctuation.",
            "Intervals of shares are at 95 %: Wilson's where every spine comes from a photo of its own, and else for the number "
                + "of independent spines that the photos are worth (Korn and Graubard)\(photos).",
            rule
                + ". Memory is judged by the peak over the life of the process. Only rows that gate decide the verdict.",
            "Cold start is by the harness's clock, from just before it starts the process.",
        ] + books
    }

    /// Empty when no variant names books.
    private var books: [String] {
        guard result.measurements.contains(where: { $0.all.books != nil }) else { return [] }
        return [
            "Books are judged by what each variant's catalogue has. Closed set: the legible spines whose book it has; the right one "
                + "is to be named. Open set: those whose book it lacks, whatever the edition; none is to be named, and any book of the "
                + "catalogue that is named is a false match. Another edition counts under the printed title; a translation, or "
                + "another title, only where the label accepts it. A draft that was put together from the text is counted apart."
        ]
    }

    private var photos: String {
        let grouped = result.datasets.compactMap { dataset in
            dataset.groups.flatMap {
                $0 < dataset.samplesRead ? "\(dataset.name) is from \(NumberText.count($0, "photo"))" : nil
            }
        }
        let isNarrow = result.measurements.contains { measurement in
            measurement.categories.contains {
                $0.accuracy.titleRead.basis == .tooFewGroups || $0.shelves?.named.basis == .tooFewGroups
            }
        }
        let star =
            isNarrow ? "; * marks one that takes spines for independent because the photos are too few: too narrow" : ""
        return (grouped.isEmpty ? "" : "; " + grouped.joined(separator: ", ")) + star
    }

    /// What was run, on what, with what: names and values.
    var provenance: [(name: String, value: String)] {
        let run = result.configuration
        var rows = [
            ("Run", "\(result.startedAt) to \(result.finishedAt)\(resumes)"),
            ("Program", run.tool + (run.codeDigest.map { ", `\($0)`" } ?? "")),
            ("Settings", (run.suite.map { "suite \($0), " } ?? "") + "`\(result.configurationDigest)`"),
            (
                "Readings",
                "each spine \(NumberText.count(run.repetitions * run.seeds.count, "time")), warm-up \(run.warmUpReadings), "
                    + "\(run.seeds.count == 1 ? "seed" : "seeds") \(run.seeds.map(String.init).joined(separator: ", ")), "
                    + "timeout \(NumberText.short(run.sampleTimeoutSeconds)) s"
            ),
        ]
        rows += result.datasets.map { dataset in
            (
                "Dataset",
                "\(dataset.name)\(dataset.version.map { " \($0)" } ?? ""), \(dataset.samples) samples, "
                    + "`\(dataset.digest)`\(dataset.licence.map { ", licence \($0)" } ?? "")"
            )
        }
        rows.append(("Host", text(of: result.host) + otherHosts))
        if let shards = result.shards {
            let attempts = shards.parts.reduce(0) { $0 + $1.attempts.count }
            let superseded = shards.superseded.count
            rows.append(
                (
                    "Shards",
                    "\(NumberText.count(shards.parts.count, "shard")), \(NumberText.count(attempts, "attempt")) on "
                        + NumberText.count(shards.machines.count, "machine")
                        + (superseded == 0 ? "" : "; \(NumberText.count(superseded, "folder")) superseded")
                )
            )
        }
        rows += (result.merged ?? []).map { run in
            (
                "Merged with \(run.name)",
                "\(run.startedAt) to \(run.finishedAt), \(run.tool)\(run.codeDigest.map { ", `\($0)`" } ?? ""), settings "
                    + "`\(run.configurationDigest)`, on \(text(of: run.host))"
            )
        }
        rows += result.measurements.map { measurement in
            let facts = measurement.description.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            let models = measurement.variant.models.sorted { $0.key < $1.key }.map { "\($0.key): `\($0.value)`" }
            return ("`\(measurement.id)`", facts.isEmpty ? "nothing said" : (facts + models).joined(separator: "; "))
        }
        return rows
    }

    private func text(of host: HostDescription) -> String {
        "\(host.cpu), \(NumberText.count(host.cores, "core")), "
            + "\(NumberText.fixed(Double(host.memoryBytes) / 1e9, 1)) GB; \(host.operatingSystem), \(host.kernel)"
            + "\(host.loadAverage.map { "; load \(NumberText.fixed($0, 2)) at the start" } ?? "")"
    }

    private var resumes: String {
        result.resumes == 0 ? "" : ", stopped and resumed \(NumberText.count(result.resumes, "time"))"
    }

    private var otherHosts: String {
        result.otherHosts == 0 || result.shards != nil
            ? "" : "; **went on elsewhere: its latencies are of different machines**"
    }
}
