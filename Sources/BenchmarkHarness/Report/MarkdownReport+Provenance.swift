import Evaluation

extension MarkdownReport {
    /// How the figures were taken and what they mean.
    var method: String {
        let run = result.configuration
        return """
            ## How it was measured

            - Each measurement ran in a process of its own, one reading at a time. A worker read \
            \(NumberText.count(run.warmUpReadings, "spine")) to warm up before its first counted reading.
            - Latency is wall-clock time from the bytes of the file in memory to the prediction, by the harness's clock. \
            Percentiles are nearest rank, over all repetitions, and claimed from \(Percentile.minimumCount(for: 50)) (P50), \
            \(Percentile.minimumCount(for: 95)) (P95) and \(Percentile.minimumCount(for: 99)) (P99) readings on: with fewer, \
            not even the longest one bounds them with 99 % confidence. Repetitions of one spine are not independent.
            - “Inference” is the share of latency inside the models, by the system's own account (reported, not measured).
            - Accuracy counts every legible spine once, by its first repetition; a reading that failed counts as nothing read.
            - Title read: every word of the title is found in the text, in any order, at an edit similarity of 0.8 or more, \
            also when words were glued or split; author read likewise. CER and WER are pooled over the spines (micro \
            average), against the whole transcription, in reading order, with case and punctuation; characters are grapheme \
            clusters after NFC. 1-NED (mean) and word F1 (pooled, any order) are of folded text: no case, accents or \
            punctuation.
            - Intervals are Wilson's at 95 %. They take spines for independent\(photos).
            - A target of accuracy is met or missed by the point estimate; below \
            \(Proportion.minimumTrials(toShow: 0.85)) spines only an interval clear of 85 % decides. Memory is judged by \
            the peak over the life of the process. Only rows that gate decide the verdict.
            - Cold start is by the harness's clock, from just before it starts the process.
            """
    }

    private var photos: String {
        let grouped = result.datasets.compactMap { dataset in
            dataset.groups.flatMap {
                $0 < dataset.samplesRead ? "\(dataset.name)'s from \(NumberText.count($0, "photo"))" : nil
            }
        }
        return grouped.isEmpty ? "" : "; these come \(grouped.joined(separator: ", ")), so that the true ones are wider"
    }

    /// What was run, on what, with what.
    var provenance: String {
        let (run, host) = (result.configuration, result.host)
        var rows = [
            ["Run", "\(result.startedAt) to \(result.finishedAt)\(resumes)"],
            ["Program", run.tool + (run.codeDigest.map { ", `\($0)`" } ?? "")],
            ["Settings", "`\(result.configurationDigest)`"],
            [
                "Readings",
                "each spine \(NumberText.count(run.repetitions * run.seeds.count, "time")), warm-up \(run.warmUpReadings), "
                    + "\(run.seeds.count == 1 ? "seed" : "seeds") \(run.seeds.map(String.init).joined(separator: ", ")), "
                    + "timeout \(NumberText.short(run.sampleTimeoutSeconds)) s",
            ],
        ]
        rows += result.datasets.map { dataset in
            [
                "Dataset",
                "\(dataset.name)\(dataset.version.map { " \($0)" } ?? ""), \(dataset.samples) samples, "
                    + "`\(dataset.digest)`\(dataset.licence.map { ", licence \($0)" } ?? "")",
            ]
        }
        rows += [
            [
                "Host",
                "\(host.cpu), \(NumberText.count(host.cores, "core")), "
                    + "\(NumberText.fixed(Double(host.memoryBytes) / 1e9, 1)) GB; \(host.operatingSystem), \(host.kernel)"
                    + "\(host.loadAverage.map { "; load \(NumberText.fixed($0, 2)) at the start" } ?? "")\(otherHosts)",
            ]
        ]
        rows += result.measurements.map { measurement in
            let facts = measurement.description.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            return ["`\(measurement.id)`", facts.isEmpty ? "nothing said" : facts.joined(separator: "; ")]
        }
        return "## Provenance\n\n" + Self.table(["", ""], rows)
    }

    private var resumes: String {
        result.resumes == 0 ? "" : ", stopped and resumed \(NumberText.count(result.resumes, "time"))"
    }

    private var otherHosts: String {
        result.otherHosts == 0 ? "" : "; **went on elsewhere: its latencies are of different machines**"
    }
}
