import Basics
package import Documents
import Evaluation
import Foundation
import Harness
import SpineDatasets

/// Page of a report: its document, with plots and samples; contents by the names that the scripts in `Resources` read.
///
/// `report.html` has the document of `report.md`, `report.json` itself and a row for each sample; `comparison.html` the
/// document of `comparison.md` and the samples, whose readings are those of its sides.
struct ReportPage: Encodable {
    /// Metric that the plots may show.
    struct PlottedMetric: Encodable {
        var id: String
        var name: String
        var unit: String
        var family: Metric.Family
        /// Whether it is offered by category.
        var isOffered: Bool
    }

    struct ParetoPlot: Encodable {
        /// Heading of its section.
        var title: String
        var pareto: Pareto
    }

    var title: String
    /// "PASS", "REGRESSION" and the like.
    var word: String
    var verdict: Verdict?
    var sections: [Document.Section]
    /// Warnings beside those of the document.
    var warnings: [String] = []
    /// Names of what the plots show: measurements, or sides of a comparison.
    var names: [String]

    var report: RunResult?
    var figures: [RunFigure] = []
    var metrics: [PlottedMetric] = []
    /// The latency that readings should keep, in milliseconds: a line in plots, and the filter for slow readings.
    var latencyTarget: Double?
    /// The share of titles that should be read, 0…1: a line in plots.
    var titleTarget: Double?
    var devices: [DevicePlots.Group] = []
    /// Names of each measurement's stages, in the order of its readings' times.
    var stages: [[String]] = []
    var samples: [SampleRow] = []

    /// Index of the side that the others are compared with; nil in the page of a run.
    var base: Int?
    /// Runs that the names are, oldest first; nil but in the page of a history.
    var runs: [SampleRow.Run]?
    var paretos: [ParetoPlot] = []
    /// Of sections, by their headings.
    var plots: [String: [SteppedPlot]] = [:]

    /// A picture for each sample, nil for none.
    private(set) var places: [PagePictures.Place?] = []

    private enum CodingKeys: CodingKey {
        case title, word, verdict, sections, warnings, names, report, figures, metrics, latencyTarget, titleTarget
        case devices, stages, samples, base, runs, paretos, plots
    }

    private static let template = PageTemplate(
        html: PackageResources.report_html,
        style: SampleRow.style,
        scripts: SampleRow.scripts + [
            PackageResources.latency_js, PackageResources.pareto_js, PackageResources.accuracy_js,
            PackageResources.figures_js, PackageResources.devices_js, PackageResources.start_js,
        ]
    )

    /// Returns the whole page in UTF-8, its pictures as large as there is room; throws when a figure is not finite.
    func html() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let (opening, ending) = (Self.template.opening(["title": PageText.escaped(title)]), Self.template.ending)
        let data = PageText.dataBlock(try encoder.encode(self))
        let pictures = PagePictures(places, besideBytes: opening.count + data.count + ending.count)
        let next = Data("</script>\n<script type=\"application/json\" id=\"pictures\">".utf8)
        return Array(opening + data + next + PageText.dataBlock(try encoder.encode(pictures)) + ending)
    }
}

extension ReportPage {
    init(_ run: RunContents) {
        let result = run.result
        let hasSpines = result.measurements.contains { $0.variant.subject != .shelves }
        self.init(
            title: "Spine reading: " + result.datasets.map(\.name).joined(separator: ", "),
            word: VerdictText(result).word,
            verdict: result.verdict,
            sections: RunDocument(result).document.sections,
            warnings: run.warnings,
            names: result.measurements.map(\.id),
            report: result,
            figures: RunFigure.all(of: result),
            metrics: Metric.allCases.map { metric in
                PlottedMetric(
                    id: metric.id,
                    name: metric.name,
                    unit: metric.unit.name,
                    family: metric.family,
                    isOffered: metric.chart != nil && metric.family == .accuracy && !metric.isOfFrames
                )
            },
            latencyTarget: hasSpines ? Reading.timeLimitMilliseconds : nil,
            titleTarget: result.configuration.targets.first { $0.metric == .titleRead && $0.category == nil }?.limit,
            devices: result.devices.map { DevicePlots(assessment: $0).groups } ?? []
        )
        var records = Dictionary(grouping: run.records, by: \.measurement)
        // Plots of latency would pool the machines.
        for measurement in result.measurements where measurement.isOfSeveralMachines {
            records[measurement.id] = records[measurement.id]?.map(\.withoutTimes)
        }
        stages = result.measurements.map { measurement in
            Set((records[measurement.id] ?? []).flatMap { $0.prediction?.stages.names ?? [] }).sorted()
        }
        let subjects = Set(result.measurements.map { $0.variant.subject ?? .spines })
        for dataset in run.datasets {
            let columns = result.measurements.map { measurement in
                measurement.dataset == dataset.manifest.name
                    ? Dictionary(grouping: records[measurement.id] ?? [], by: \.id) : [:]
            }
            let prefix = run.datasets.count > 1 ? dataset.manifest.name + "/" : ""
            for sample in Subject.allCases.filter(subjects.contains).flatMap({ dataset.pictures(of: $0) }) {
                let readings = result.measurements.indices.map { index in
                    let isOwn = (result.measurements[index].variant.subject == .shelves) == (sample.shelf != nil)
                    return isOwn
                        ? columns[index][sample.id].map { SampleRow.Reading($0, of: sample, stages: stages[index]) }
                        : nil
                }
                guard readings.contains(where: { $0 != nil }) else { continue }
                let (id, category) = (prefix + sample.id, sample.shelf == nil ? sample.category.rawValue : "shelf")
                samples.append(SampleRow(id, category: category, sample, readings: readings))
                places.append(PagePictures.Place(id, sample, in: dataset.store))
            }
        }
    }

    /// Sample of an id in a dataset, and the dataset's pictures; nil when it is not known.
    typealias Finder = @Sendable (_ id: String, _ dataset: String) -> (store: PictureStore, sample: Sample)?

    init(_ report: ComparisonReport, samples find: Finder) {
        let partial = "The comparison was stopped before everything was read."
        self.init(
            title: "Comparison",
            word: report.word,
            verdict: report.verdict,
            sections: report.document.sections,
            warnings: report.isPartial ? [partial] : [],
            names: (report.parts.first?.names ?? []).enumerated().map { "\(Sides.letter($0)): \($1)" },
            base: 0,
            paretos: report.parts.filter(\.areSeveral).compactMap { part in
                let title = "Pareto" + (report.parts.count > 1 ? ", \(Markdown.literal(part.label))" : "")
                return part.pareto.map { ParetoPlot(title: title, pareto: $0) }
            }
        )
        for part in report.parts {
            let read = part.readings.map { side in Dictionary(side.entries.map { ($0.id, $0) }) { first, _ in first } }
            var ids = Set<String>()
            for first in part.readings.flatMap(\.entries) where ids.insert(first.id).inserted {
                let (id, found) = (first.id, find(first.id, part.dataset))
                let row = SampleRow(
                    report.parts.count > 1 ? "\(part.label): \(id)" : id,
                    category: first.category,
                    found?.sample,
                    readings: read.map { side in
                        side[id].map {
                            .init($0.title ?? $0.outcomes[.bookTitleRead], varies: $0.varies, text: $0.text)
                        }
                    }
                )
                samples.append(row)
                // Pictures of those that differ.
                let isStable = Set(row.r.compactMap { $0?.t }).count < 2 && !row.r.contains { $0?.v != nil }
                places.append(isStable ? nil : found.map { PagePictures.Place(row.i, $0.sample, in: $0.store) })
            }
        }
    }
}

/// Lines over runs, with the places between them at which something changed.
package struct SteppedPlot: Encodable {
    package struct Step: Encodable {
        var name: String
        var x: Double

        package init(_ name: String, x: Double) { (self.name, self.x) = (name, x) }
    }

    var lines: Plot
    var steps: [Step]

    package init(_ lines: Plot, steps: [Step]) { (self.lines, self.steps) = (lines, steps) }
}

extension Document {
    /// Returns it as a page headed by `word`, with samples over named runs, and plots in the sections of their headings.
    package func page(
        _ word: String,
        names: [String],
        runs: [SampleRow.Run],
        samples: [SampleRow],
        plots: [String: [SteppedPlot]]
    ) throws -> [UInt8] {
        let page = ReportPage(
            title: title,
            word: word,
            sections: sections,
            names: names,
            samples: samples,
            runs: runs,
            plots: plots
        )
        return try page.html()
    }
}

extension SampleRecord {
    fileprivate var withoutTimes: SampleRecord {
        var record = self
        (record.milliseconds, record.serviceMilliseconds, record.atSeconds) = (nil, nil, nil)
        return record
    }
}
