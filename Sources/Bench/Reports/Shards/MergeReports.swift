package import Basics
import Evaluation
import Foundation
import Harness
package import Results
import SpineDatasets

/// The report files of a run that was merged from shards.
package struct MergeReports {
    private let merge: ShardMerge

    package init(_ merge: ShardMerge) { self.merge = merge }

    /// Returns every file's bytes by its name.
    ///
    /// - Throws: When a figure is not finite, which JSON cannot represent.
    package func files() throws -> [String: [UInt8]] {
        let configuration = merge.set.configuration
        let accuracy = AccuracyReport(configuration, merge.results)
        return [
            RunReports.Name.accuracy: try JSONFile.bytes(accuracy),
            RunReports.Name.accuracyCSV: AccuracyCSV(merge.results).bytes,
            RunReports.Name.json: try JSONFile.bytes(
                Report(
                    configuration: configuration,
                    configurationDigest: try configuration.digest,
                    accuracy: accuracy,
                    shards: merge.parts,
                    passedOver: merge.set.passedOver,
                    hosts: merge.hosts,
                    latencies: merge.latencies,
                    percentiles: merge.percentiles
                )
            ),
            RunReports.Name.hosts: hosts.bytes,
            RunReports.Name.markdown: Array(document.markdown().utf8),
        ]
    }

    /// `report.json` of a merged run.
    private struct Report: Encodable {
        var format = 1
        var kind = "merged"
        var configuration: RunConfiguration
        var configurationDigest: String
        /// Accuracy in the form of `accuracy.json`.
        var accuracy: AccuracyReport
        var shards: [ShardMerge.Part]
        var passedOver: [String]
        var hosts: [String: HostDescription]
        var latencies: [HostLatency]
        var percentiles: [StratifiedPercentile]
    }

    private var hosts: CSVTable {
        let percents = StratifiedPercentile.percents
        var table = CSVTable(
            ["measurement", "machine", "samples", "readings", "timeouts"] + percents.map { "p\($0)_ms" }
        )
        for latency in merge.latencies {
            table.add(
                [
                    latency.measurement, latency.machine, "\(latency.samples)", "\(latency.readings)",
                    "\(latency.timeouts)",
                ]
                    + percents.map { CSVTable.number(latency.percentiles["\($0)"] ?? .absent(""), 3) }
            )
        }
        return table
    }

    /// Document for people.
    package var document: Document {
        let (parts, attempts) = (merge.parts, merge.parts.reduce(0) { $0 + $1.attempts.count })
        let about = """
            \(NumberText.count(parts.count, "shard")), \(NumberText.count(attempts, "attempt")) on \
            \(NumberText.count(merge.hosts.count, "machine")); \(merge.set.passedOver.count) folders were superseded by newer \
            attempts. Accuracy, books and bytes are counted from all readings and equal those of an unsharded run; latencies \
            are reported per machine and not pooled.
            """
        return Document(
            "Merged run",
            [
                Document.Section(nil, isSummary: true, [.paragraph(about)]), Document.Section(accuracy),
            ]
                + TierTables.captures(of: merge.results).filter { !$0.rows.isEmpty }.map { Document.Section($0) }
                + [latencies, stratified, shards].map { Document.Section($0) }
        )
    }

    private var accuracy: Table {
        let rows = merge.results.map { result -> [String] in
            let (all, title) = (result.all, result.all.accuracy.titleRead)
            return [
                result.id, "\(all.samples)", "\(result.outcomes["read"] ?? 0) of \(result.planned)",
                NumberText.proportion(title.proportion), title.trials > 0 ? NumberText.interval(title) : "–",
                NumberText.figure(all.accuracy.characters.rate) { NumberText.fixed($0, 3) },
                all.books.map { NumberText.proportion($0.identified.proportion) } ?? "–",
                all.shelves.map { NumberText.proportion($0.named.proportion) } ?? "–",
            ]
        }
        return Table(
            "Accuracy",
            columns: ["Measurement"]
                + ["Samples", "Read", "Title read", "95 % interval", "CER", "Identified", "Books of shelves"].map {
                    .number($0)
                },
            rows: rows
        )
    }

    private var latencies: Table {
        Table(
            "Latency by machine",
            columns: ["Measurement", "Machine"] + ["Samples", "Readings", "Timeouts"].map { .number($0) }
                + StratifiedPercentile.percents.map { .number("P\($0)", "ms") },
            rows: merge.latencies.map { latency in
                [
                    latency.measurement, latency.machine, "\(latency.samples)", "\(latency.readings)",
                    "\(latency.timeouts)",
                ]
                    + StratifiedPercentile.percents.map {
                        NumberText.figure(latency.percentiles["\($0)"] ?? .absent("–")) { NumberText.fixed($0, 1) }
                    }
            }
        )
    }

    private var stratified: Table {
        Table(
            "Latency across machines",
            note:
                "Mean of the machines' percentiles, weighted by their samples; the 95 % interval is stratified by machine.",
            columns: [
                "Measurement", "Percentile", .number("Machines"), .number("Value", "ms"),
                .number("95 % interval", "ms"),
            ],
            rows: merge.percentiles.map { row in
                let ends = row.interval.value.map {
                    "\(NumberText.fixed($0.lowerBound, 1))–\(NumberText.fixed($0.upperBound, 1))"
                }
                return [
                    row.measurement, "P\(row.percent)", "\(row.machines) of \(row.machinesInAll)",
                    NumberText.figure(row.value) { NumberText.fixed($0, 1) }, ends ?? "–",
                ]
            }
        )
    }

    private var shards: Table {
        Table(
            "Shards",
            note: "A straggler took more than 1.5 times the median duration.",
            columns: [
                "Shard", "Folder", .number("Samples"), .number("Readings"), .number("Attempts"), .number("Took", "s"),
                "Machine", "",
            ],
            rows: merge.parts.map { part in
                [
                    "\(part.shard)", part.folder, "\(part.samples)", "\(part.readings)", "\(part.attempts.count)",
                    NumberText.fixed(part.seconds, 0), part.attempts.last?.machine ?? "",
                    part.isStraggler ? "straggler" : "",
                ]
            }
        )
    }
}

/// Accuracy, books and bytes for spreadsheets: the same bytes of a run in one piece and of its shards merged.
struct AccuracyCSV {
    let bytes: [UInt8]

    init(_ results: [MeasurementResult]) {
        let metrics = Metric.allCases.filter(\.isOfAccuracyAlone)
        let columns = metrics.flatMap { metric in metric.meaning.columns.map { (metric, $0.part, $0.heading) } }
        var table = CSVTable(
            ["measurement", "variant", "scenario", "dataset", "category", "samples"] + columns.map(\.2)
        )
        for result in results {
            for category in result.categories {
                let fields = columns.map { metric, part, _ -> String in
                    guard category.category == "all" || !metric.taking.isOfWhole,
                        let number = metric.taking.value?(result, category)?.part(part)
                    else { return "" }
                    return NumberText.fixed(number, part == .count || part == .total ? 0 : metric.meaning.unit.decimals)
                }
                table.add(
                    [
                        result.id, result.variant.name, result.scenario.label, result.dataset, category.category,
                        "\(category.samples)",
                    ] + fields
                )
            }
        }
        bytes = table.bytes
    }
}
