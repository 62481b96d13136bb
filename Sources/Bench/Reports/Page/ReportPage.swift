import Basics
import DeviceSimulation
import Evaluation
import Foundation
import Results
import SpineDatasets

/// Contents of `report.html`, by the names that the page's scripts in `Resources` read.
struct ReportPage: Encodable {
    struct Head: Encodable {
        var title: String
        var verdict: Verdict?
        var sentence: String
        /// What failed, said first; nil for nothing.
        var failures: [String]?
        /// "stopped after 120 of 960 readings"; nil when the run is whole.
        var partial: String?
        /// Datasets, variants, when and for how long, in a line.
        var summary = ""
        var warnings: [String] = []
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
    var compliance: [PageObject] = []
    var measurements: [PageObject] = []
    /// Matrix of tiers × requirements, and the meaning of its words; nil without targets.
    var matrix: Table?
    var legend: [String] = []
    var tables: [Table] = []
    var pareto: [Table] = []
    var slices: Table?
    var devices: PageObject?
    var assertions: [Table]?
    /// A page may hold tens of thousands: keys are single letters, and what is absent takes no room.
    var samples: [PageObject] = []
    var pictures = PagePictures()

    private static let template = PageTemplate(
        html: PackageResources.report_html,
        style: PackageResources.parts_css + PackageResources.report_css,
        scripts: [
            PackageResources.data_js, PackageResources.plots_js, PackageResources.latency_js,
            PackageResources.pareto_js, PackageResources.accuracy_js, PackageResources.cost_js,
            PackageResources.devices_js,
            PackageResources.summary_js, PackageResources.samples_js, PackageResources.letters_js,
            PackageResources.detail_js,
            PackageResources.start_js,
        ]
    )

    /// Returns the whole page in UTF-8; throws when a figure is not finite.
    func html() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = PageText.dataBlock(try encoder.encode(self))
        return Array(Self.template.opening(["title": PageText.escaped(head.title)]) + data + Self.template.ending)
    }
}

/// JSON object of the page, written where it is filled in; nil values are omitted.
struct PageObject: Encodable, ExpressibleByDictionaryLiteral {
    private var values: [String: any Encodable] = [:]

    init(dictionaryLiteral elements: (String, (any Encodable)?)...) {
        for (name, value) in elements { values[name] = value }
    }

    subscript(name: String) -> (any Encodable)? {
        get { values[name] }
        set { values[name] = newValue }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in values { try container.encode(value, forKey: Name(stringValue: name)) }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}

struct PageArray: Encodable, ExpressibleByArrayLiteral {
    var elements: [(any Encodable)?]

    init(arrayLiteral elements: (any Encodable)?...) { self.elements = elements }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in elements {
            if let element { try container.encode(element) } else { try container.encodeNil() }
        }
    }
}

extension PageObject {
    /// Returns a figure with the ends of its interval, as far as it has them.
    static func figure(_ value: Figure, low: Double? = nil, high: Double? = nil) -> PageObject {
        ["value": value, "low": low, "high": high]
    }

    /// Returns a share with its counts and the ends of its interval.
    static func share(_ successes: Int, of trials: Int, _ interval: ClosedRange<Double>?) -> PageObject {
        ["successes": successes, "trials": trials, "low": interval?.lowerBound, "high": interval?.upperBound]
    }
}
