import Basics
import DeviceSimulation
import Evaluation
import Foundation
import Results
import SpineDatasets

/// What `report.html` shows: a benchmark run as one page that needs nothing else.
///
/// The page's scripts in `Resources` read the names that it is encoded with.
struct ReportPage: Encodable {
    /// What the page says about the whole run.
    struct Head: Encodable {
        var title: String
        /// Nil when nothing was judged.
        var verdict: Verdict?
        /// What decided the verdict, in a sentence or two.
        var sentence: String
        /// "stopped after 120 of 960 readings"; nil when the run is whole.
        var partial: String?
        /// Datasets, variants, when and for how long, in a line.
        var summary = ""
        /// What a reader must know before trusting a figure: the validity rules that failed, warnings.
        var warnings: [String] = []
        /// How it was measured, a paragraph each.
        var method: [String] = []
        /// Dataset, host, tool, digests: tables of names and values.
        var provenance: [PageObject] = []
        /// The figures of a category that are offered, in this order: each by its key and its name.
        var metrics: [[String]] = []
        /// The latency that readings should keep, in milliseconds: a line in plots, and the filter for slow readings.
        var latencyTarget: Double?
        /// The share of titles that should be read, 0…1: a line in plots.
        var titleTarget: Double?
    }

    var head: Head
    /// In the order in which they are to be shown.
    var compliance: [PageObject] = []
    var measurements: [PageObject] = []
    /// Tiers × requirements, and what its words mean; nil without targets.
    var matrix: Table?
    var legend: [String] = []
    /// What only variants show that do more than read.
    var tables: [Table] = []
    /// What every tier would do on devices; nil when none was asked for.
    var devices: PageObject?
    /// Answers to the suite's assertions: the summary and the cases; nil without assertions.
    var assertions: [Table]?
    /// A page may hold tens of thousands: keys are single letters, and what is absent takes no room.
    var samples: [PageObject] = []
    var pictures = PagePictures()

    private static let template = PageTemplate(
        html: PackageResources.report_html,
        style: PackageResources.report_css,
        scripts: [
            PackageResources.data_js, PackageResources.plots_js, PackageResources.latency_js,
            PackageResources.accuracy_js, PackageResources.cost_js, PackageResources.devices_js,
            PackageResources.summary_js, PackageResources.samples_js, PackageResources.detail_js,
            PackageResources.start_js,
        ]
    )

    /// The whole page in UTF-8.
    ///
    /// - Throws: When a figure is not finite, which JSON cannot say.
    func html() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = PageText.dataBlock(try encoder.encode(self))
        return Array(Self.template.opening(["title": PageText.escaped(head.title)]) + data + Self.template.ending)
    }
}
