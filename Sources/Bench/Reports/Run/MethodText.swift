import Basics
import Evaluation
import Harness

struct MethodText: Sendable {
    let result: RunResult

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
                "A target is compared with the figure itself, and a note marks figures whose interval includes the target; "
                    + "below \(small) spines a share is decided only when its interval excludes the target"
            case .interval: "A target is met or missed only when the whole interval is on one side of the target"
            }
        let elsewhere = run.variants.filter { $0.origin != nil }.map(\.name)
        let isOfHarness = elsewhere.count < run.variants.count
        let isTimed = result.measurements.contains { !$0.isUntimed }
        let workers = [
            "Each measurement ran in its own process. A worker read "
                + "\(NumberText.count(run.warmUpReadings, "spine")) to warm up before its first counted reading."
        ]
        let files = [
            "The readings of \(elsewhere.joined(separator: ", ")) were made elsewhere, and scored here by the same rules. Their "
                + "times, memory, energy, battery and heat are those that their files state; what they do not state is not judged."
        ]
        let clock =
            "Latency is wall-clock time from the bytes of the file in memory to the prediction, by the harness's clock. "
        let times = [
            (isOfHarness ? clock : "")
                + "Percentiles are \(method), over all repetitions; a reading that timed out is longer than any other. They are "
                + "reported from \(Percentile.minimumCount(for: 50)) (P50), \(Percentile.minimumCount(for: 90)) (P90), "
                + "\(Percentile.minimumCount(for: 95)) (P95) and \(Percentile.minimumCount(for: 99)) (P99) readings: with "
                + "fewer, even the longest reading does not bound them with 99 % confidence.",
            "The bounds of a percentile hold at 95 % for any distribution (order statistics). They count as many readings "
                + "as there are different spines, because repetitions of one spine are correlated.",
            "MLPerf P90 is the early-stopping estimate of its single-stream scenario: not exceeded with 99 % confidence.",
            "“Inference” is the share of latency inside the models, as reported by the system (not measured).",
        ]
        let scoring = [
            "Accuracy counts every legible spine once, by its first repetition; a reading that failed counts as nothing read. "
                + "A back end's reading is scored by its reported lines, never by the title of the identified book; "
                + "without reported lines, only the book is scored.",
            "Title read: every word of the title occurs in the text, in any order, at an edit similarity of 0.8 or more, "
                + "also when words were joined or split; author read likewise. CER and WER are pooled over the spines (micro "
                + "average), against the whole transcription, in reading order, with case and punctuation; characters are "
                + "grapheme clusters after NFC. 1-NED (mean) and word F1 (pooled, any order) are of folded text: no case, "
                + "accents or punctuation.",
            "Intervals of shares are at 95 %: Wilson's where every spine comes from its own photo, otherwise for the number "
                + "of effectively independent spines (Korn and Graubard)\(photos).",
            rule
                + ". Memory is judged by the peak of the footprint over the life of the process. Only gating rows affect the verdict.",
        ]
        let start = ["Cold start is by the harness's clock, from just before it starts the process."]
        return (isOfHarness ? workers : []) + (elsewhere.isEmpty ? [] : files) + (isTimed ? times : []) + scoring
            + (isOfHarness ? start : []) + books
    }

    private var books: [String] {
        guard result.measurements.contains(where: { $0.all.namesBooks }) else { return [] }
        return [
            "Books are judged by each variant's catalogue. Closed set: the legible spines whose book is in the catalogue; the right answer "
                + "is that book. Open set: those whose book is missing in every edition; the right answer is none, and any book of the "
                + "catalogue is a false match. Another edition counts as right under the printed title; a translation, or "
                + "another title, only where the label accepts it. A draft made from the text is counted separately."
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
                figures in
                [Metric.titleRead, .bookRecall].contains { figures.rate($0).basis == .tooFewGroups }
            }
        }
        let star =
            isNarrow
            ? "; * marks intervals that treat spines as independent, as there are too few photos: these are too narrow"
            : ""
        return (grouped.isEmpty ? "" : "; " + grouped.joined(separator: ", ")) + star
    }

    var provenance: [(name: String, value: String)] {
        let run = result.configuration
        var rows = [
            ("Run", "\(result.startedAt) to \(result.finishedAt)\(resumes)"),
            ("Program", run.tool + (run.codeDigest.map { ", `\($0)`" } ?? "")),
            ("Settings", (run.suite.map { "suite \($0), " } ?? "") + "`\(result.configurationDigest)`"),
            (
                "Readings",
                "each spine \(NumberText.count(run.repetitions * run.seeds.count, "time"))"
                    + (run.variants.allSatisfy { $0.origin != nil }
                        ? "" : ", warm-up \(run.warmUpReadings), \(conditions)")
            ),
        ]
        let rules = (of: result.scoringRule ?? 1, then: run.scoringRule ?? 1)
        rows.append(
            (
                "Scoring",
                "rule \(rules.of)" + (rules.of == rules.then ? "" : "; the run itself was scored by rule \(rules.then)")
            )
        )
        rows += result.datasets.map { dataset in
            (
                "Dataset",
                "\(dataset.name)\(dataset.version.map { " \($0)" } ?? ""), \(dataset.samples) samples, "
                    + "`\(dataset.digest)`\(dataset.licence.map { ", licence \($0)" } ?? "")"
                    + (dataset.mended.map {
                        "; the labels of \(NumberText.count($0.samples, "sample")) were corrected after the run, which read `\($0.digest)`"
                    } ?? "")
            )
        }
        rows.append(("Host", text(of: result.host) + otherHosts))
        rows += result.measurements.map { measurement in
            let facts = measurement.description.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            let models = measurement.variant.models.sorted { $0.key < $1.key }.map { "\($0.key): `\($0.value)`" }
            return ("`\(measurement.id)`", facts.isEmpty ? "not stated" : (facts + models).joined(separator: "; "))
        }
        return rows
    }

    private var conditions: String {
        let run = result.configuration
        return "\(run.seeds.count == 1 ? "seed" : "seeds") \(run.seeds.map(String.init).joined(separator: ", ")), "
            + "timeout \(NumberText.short(run.sampleTimeoutSeconds)) s"
    }

    private func text(of host: HostDescription) -> String {
        if host.cores == 0 { return host.fingerprint }
        return "\(host.cpu), \(NumberText.count(host.cores, "core")), "
            + "\(NumberText.fixed(Double(host.memoryBytes) / 1e9, 1)) GB; \(host.operatingSystem), \(host.kernel)"
            + "\(host.loadAverage.map { "; load \(NumberText.fixed($0, 2)) at the start" } ?? "")"
    }

    private var resumes: String {
        result.resumes == 0 ? "" : ", stopped and resumed \(NumberText.count(result.resumes, "time"))"
    }

    private var otherHosts: String {
        result.otherHosts == 0 || result.measurements.contains(where: \.isOfSeveralMachines)
            ? "" : "; **resumed on another machine: its latencies mix machines**"
    }
}
