package import Basics
import Evaluation
import Foundation
import Harness
import SpineDatasets

/// Page of a report: its document, with plots and samples; contents by the names that the scripts in `Resources` read.
///
/// `report.html` has the document of `report.md`, `report.json` itself and a row for each sample; `comparison.html` the
/// document of `comparison.md` and an explorer of the samples.
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

    var explorer: SampleExplorer?
    var paretos: [ParetoPlot] = []
    /// Of sections, by their headings.
    var plots: [String: [SteppedPlot]] = [:]

    /// A picture for each sample, nil for none.
    private(set) var places: [PagePictures.Place?] = []

    private enum CodingKeys: CodingKey {
        case title, word, verdict, sections, warnings, names, report, figures, metrics, latencyTarget, titleTarget
        case devices, stages, samples, explorer, paretos, plots
    }

    private static let template = PageTemplate(
        html: PackageResources.report_html,
        style: SampleExplorer.style + PackageResources.report_css,
        scripts: [
            PackageResources.data_js, PackageResources.plots_js, PackageResources.latency_js,
            PackageResources.pareto_js, PackageResources.accuracy_js, PackageResources.figures_js,
            PackageResources.devices_js, PackageResources.samples_js,
        ] + SampleExplorer.scripts + [PackageResources.detail_js, PackageResources.start_js]
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
                samples.append(SampleRow(sample, id: prefix + sample.id, readings: readings))
                places.append(PagePictures.Place(prefix + sample.id, sample, in: dataset.store))
            }
        }
    }

    init(_ report: ComparisonReport, samples find: SampleExplorer.Finder) {
        let several = report.parts.filter(\.areSeveral)
        let partial = "The comparison was stopped before everything was read."
        self.init(
            title: "Comparison",
            word: report.word,
            verdict: report.verdict,
            sections: report.document.sections,
            warnings: report.isPartial ? [partial] : [],
            names: (several.first?.names ?? []).enumerated().map { "\(Sides.letter($0)) \($1)" },
            paretos: several.compactMap { part in
                let title = "Pareto" + (report.parts.count > 1 ? ", \(Markdown.literal(part.label))" : "")
                return part.pareto.map { ParetoPlot(title: title, pareto: $0) }
            }
        )
        let (explorer, places) = SampleExplorer.of(report, samples: find)
        (self.explorer, self.places) = (explorer, places)
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
    /// Returns it as a page headed by `word`, with an explorer of samples, and plots in the sections of their headings.
    package func page(_ word: String, explorer: SampleExplorer, plots: [String: [SteppedPlot]]) throws -> [UInt8] {
        let page = ReportPage(
            title: title,
            word: word,
            sections: sections,
            names: [],
            explorer: explorer,
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
