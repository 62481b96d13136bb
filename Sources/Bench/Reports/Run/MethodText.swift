import Basics
import Documents
import Evaluation
import Harness
import Statistics

/// Fixed sentences of a report: lines of `Resources/report.txt`, each a section, the conditions that it needs, and a
/// text with places to fill.
enum ReportText {
    private static let lines = String(decoding: PackageResources.report_txt, as: UTF8.self).split(separator: "\n")
        .compactMap { line -> (section: Substring, conditions: [Substring], text: String)? in
            guard let colon = line.firstRange(of: ": ") else { return nil }
            let names = line[..<colon.lowerBound].split(separator: ", ")
            return (names[0], names.dropFirst().flatMap { $0.split(separator: " ") }, String(line[colon.upperBound...]))
        }

    /// Returns the texts of a section whose conditions all hold.
    static func of(_ section: String, _ conditions: Set<Substring> = [], _ values: [String: String] = [:]) -> [String] {
        lines.filter { $0.section == section && conditions.isSuperset(of: $0.conditions) }.map { line in
            values.reduce(line.text) { $0.replacing("{\($1.key)}", with: $1.value) }
        }
    }

    static func paragraph(
        _ section: String,
        _ conditions: Set<Substring> = [],
        _ values: [String: String] = [:]
    ) -> Document.Block {
        .paragraph(note(section, conditions, values))
    }

    static func note(
        _ section: String,
        _ conditions: Set<Substring> = [],
        _ values: [String: String] = [:]
    ) -> String { of(section, conditions, values).joined(separator: " ") }
}

/// How a run was measured, and from what.
struct MethodText: Sendable {
    let result: RunResult

    private var elsewhere: [String] { result.configuration.variants.filter { $0.origin != nil }.map(\.name) }
    private var isOfHarness: Bool { elsewhere.count < result.configuration.variants.count }

    var paragraphs: [String] {
        let (run, measurements) = (result.configuration, result.measurements)
        let isNarrow = measurements.flatMap(\.categories).contains { figures in
            [Metric.titleRead, .bookRecall].contains { figures.rate($0).basis == .tooFewGroups }
        }
        let conditions: [(Substring, Bool)] = [
            ("own", isOfHarness), ("elsewhere", !elsewhere.isEmpty), ("narrow", isNarrow),
            ("timed", measurements.contains { !$0.isUntimed }), (run.decideBy == .point ? "point" : "interval", true),
            ("books", measurements.contains { $0.all.namesBooks }),
        ]
        let photos = result.datasets.compactMap { dataset in
            dataset.groups.flatMap {
                $0 < dataset.samplesRead ? "; \(dataset.name) is from \(NumberText.count($0, "photo"))" : nil
            }
        }
        let percentiles = [50, 90, 95, 99].map { ("P\($0)", "\(Percentile.minimumCount(for: $0))") }
        let values = [
            "warm-up": NumberText.count(run.warmUpReadings, "spine"), "elsewhere": elsewhere.joined(separator: ", "),
            "percentile": run.percentileMethod == .nearestRank
                ? "nearest rank" : "the value at index ⌊n·p⌋ of the sorted ones (the project documents' formula)",
            "photos": photos.joined(), "small": "\(Proportion.minimumTrials(toShow: 0.85))",
        ].merging(percentiles) { $1 }
        return ReportText.of("method", Set(conditions.filter(\.1).map(\.0)), values)
    }

    var provenance: [(name: String, value: String)] {
        let (run, rules) = (
            result.configuration, (of: result.scoringRule ?? 1, then: result.configuration.scoringRule ?? 1)
        )
        let conditions =
            ", warm-up \(run.warmUpReadings), \(run.seeds.count == 1 ? "seed" : "seeds") "
            + "\(run.seeds.map(String.init).joined(separator: ", ")), timeout \(NumberText.short(run.sampleTimeoutSeconds)) s"
        let times = NumberText.count(run.repetitions * run.seeds.count, "time")
        let resumes = result.resumes == 0 ? "" : ", stopped and resumed \(NumberText.count(result.resumes, "time"))"
        let mixes = result.otherHosts > 0 && !result.measurements.contains(where: \.isOfSeveralMachines)
        return [
            ("Run", "\(result.startedAt) to \(result.finishedAt)\(resumes)"),
            ("Program", run.tool + (run.codeDigest.map { ", `\($0)`" } ?? "")),
            ("Settings", (run.suite.map { "suite \($0), " } ?? "") + "`\(result.configurationDigest)`"),
            ("Readings", "each spine \(times)\(isOfHarness ? conditions : "")"),
            (
                "Scoring",
                "rule \(rules.of)" + (rules.of == rules.then ? "" : "; the run itself was scored by rule \(rules.then)")
            ),
        ]
            + result.datasets.map { dataset in
                (
                    "Dataset",
                    "\(dataset.name)\(dataset.version.map { " \($0)" } ?? ""), \(dataset.samples) samples, "
                        + "`\(dataset.digest)`\(dataset.licence.map { ", licence \($0)" } ?? "")"
                        + (dataset.mended.map {
                            "; the labels of \(NumberText.count($0.samples, "sample")) were corrected after the run, which read `\($0.digest)`"
                        } ?? "")
                )
            }
            + [
                (
                    "Host",
                    text(of: result.host)
                        + (mixes ? "; **resumed on another machine: its latencies mix machines**" : "")
                )
            ]
            + result.measurements.map { measurement in
                let facts = measurement.description.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
                let models = measurement.variant.models.sorted { $0.key < $1.key }.map { "\($0.key): `\($0.value)`" }
                return ("`\(measurement.id)`", facts.isEmpty ? "not stated" : (facts + models).joined(separator: "; "))
            }
    }

    private func text(of host: HostDescription) -> String {
        if host.cores == 0 { return host.fingerprint }
        return "\(host.cpu), \(NumberText.count(host.cores, "core")), "
            + "\(NumberText.fixed(Double(host.memoryBytes) / 1e9, 1)) GB; \(host.operatingSystem), \(host.kernel)"
            + "\(host.loadAverage.map { "; load \(NumberText.fixed($0, 2)) at the start" } ?? "")"
    }
}
