import Basics
import DeviceSimulation
import Evaluation
import Foundation
import Results
import SpineDatasets

/// Contents of `report.html`: a benchmark run as one self-contained page.
///
/// The page's scripts in `Resources` read the names that it is encoded with.
struct ReportPage: Encodable {
    /// Summary of the whole run.
    struct Head: Encodable {
        var title: String
        /// Verdict; nil when nothing was judged.
        var verdict: Verdict?
        /// Reason for the verdict, in a sentence or two.
        var sentence: String
        /// "stopped after 120 of 960 readings"; nil when the run is whole.
        var partial: String?
        /// Datasets, variants, when and for how long, in a line.
        var summary = ""
        /// Warnings about the figures: the failed validity rules and others.
        var warnings: [String] = []
        /// Method of the measurement, a paragraph each.
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
    /// Compliance rows in display order.
    var compliance: [PageObject] = []
    var measurements: [PageObject] = []
    /// Matrix of tiers × requirements, and the meaning of its words; nil without targets.
    var matrix: Table?
    var legend: [String] = []
    /// Tables of variants that do more than read.
    var tables: [Table] = []
    /// Results of every tier on devices; nil when none was requested.
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

    /// Returns the whole page in UTF-8.
    ///
    /// - Throws: When a figure is not finite, which JSON cannot represent.
    func html() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = PageText.dataBlock(try encoder.encode(self))
        return Array(Self.template.opening(["title": PageText.escaped(head.title)]) + data + Self.template.ending)
    }
}
