package import Basics
package import Evaluation
import Foundation

/// Loss that a gate accepts until a date: an entry of `accepted.yaml`.
package struct AcceptedLoss: Sendable, Equatable, Codable {
    /// Size of a loss: a share of the baseline's figure or of the limit, or a difference in the metric's unit.
    package struct Size: Sendable, Equatable, Codable {
        package var value: Double
        package var isRelative: Bool

        package init(_ value: Double, isRelative: Bool) { (self.value, self.isRelative) = (value, isRelative) }
    }

    package enum Reference: String, Sendable, Codable, CaseIterable { case baseline, target }

    package var variant: String
    package var dataset: String
    /// Metric of the row; nil for every metric that counts the samples.
    package var metric: Metric?
    /// Category of a target; nil for all samples.
    package var category: String?
    package var against = Reference.baseline
    /// Largest accepted loss; nil where samples are named.
    package var loss: Size?
    /// Samples that may be lost; empty where a loss is named.
    package var samples: [String] = []
    package var why: String
    /// Person who accepted it; nil when it is not stated.
    package var by: String?
    /// Last day, "2026-12-31".
    package var until: String
    /// "Reports/baseline/accepted.yaml:3".
    package var place = ""

    package init(variant: String, dataset: String, why: String, until: String) {
        (self.variant, self.dataset, self.why, self.until) = (variant, dataset, why, until)
    }

    /// Returns the entries of a file's text.
    package static func parse(_ text: String, path: String) throws(Faults) -> [AcceptedLoss] {
        struct File: Decodable { var accepted: [AcceptedEntry] }
        let faults = FaultCollector(file: path)
        let root = try YAMLFile.node(of: text, faults, expected: "a list 'accepted'")
        return try LocatedDecoder.decode(File.self, from: root, faults) { file, at in
            file.accepted.enumerated().map { $1.loss(place: "\(path):\(at["accepted"][$0].place.line)") }
        }
    }

    /// Whether a text is a day of the calendar: "2026-12-31".
    package static func isDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.allSatisfy(\.isNumber) ? Int($0) : nil }
        guard parts.map(\.count) == [4, 2, 2], numbers.count == 3 else { return false }
        let day = DateComponents(
            calendar: Calendar(identifier: .gregorian),
            year: numbers[0],
            month: numbers[1],
            day: numbers[2]
        )
        return day.isValidDate
    }

    /// "accepted by Jane Doe until 2026-12-31: reason".
    package var phrase: String { "accepted\(by.map { " by \($0)" } ?? "") until \(until): \(why)" }
}

/// Entry of `accepted.yaml`; `Docs/COMPARING.md` explains its keys.
package struct AcceptedEntry: Codable, Checked {
    var variant: String
    var dataset: String
    var metric: MetricName?
    var category: String?
    var against: AcceptedLoss.Reference?
    /// "2 points", "5 %".
    var loss: String?
    var samples: [String]?
    var why: String
    var by: String?
    var until: String

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case variant, dataset, metric, category, against, loss, samples, why, by, until
    }

    package init(_ loss: AcceptedLoss) {
        (variant, dataset, category) = (loss.variant, loss.dataset, loss.category)
        metric = loss.metric.map(MetricName.init)
        against = loss.against == .baseline ? nil : loss.against
        self.loss = loss.metric.flatMap { loss.loss?.text(of: $0) }
        samples = loss.samples.isEmpty ? nil : loss.samples
        (why, by, until) = (loss.why, loss.by, loss.until)
    }

    private var size: AcceptedLoss.Size? {
        metric.flatMap { metric in loss.flatMap { AcceptedLoss.Size($0, of: metric.metric) } }
    }

    package mutating func check(_ at: Checker) {
        if at["until"].isSound, !AcceptedLoss.isDate(until) { at["until"].unexpected("a date such as 2026-12-31") }
        at.one(of: ["loss", "samples"])
        if metric == nil, samples == nil { at.fault("the key \"metric\" is missing") }
        if against == .target, samples != nil { at["samples"].fault("samples are of a baseline; expected loss") }
        if against != .target, category != nil { at["category"].fault("a category is of a target") }
        if let metric, loss != nil, size == nil, at["metric"].isSound, at["loss"].isSound {
            let unit = metric.metric.unit.lossUnit
            let other = metric.metric == .latency ? "" : " or 3\(unit.isEmpty ? "" : " ")\(unit)"
            at["loss"].unexpected("a loss such as 5 %\(other)")
        }
    }

    fileprivate func loss(place: String) -> AcceptedLoss {
        var entry = AcceptedLoss(variant: variant, dataset: dataset, why: why, until: until)
        (entry.metric, entry.category, entry.against) = (metric?.metric, category, against ?? .baseline)
        (entry.loss, entry.samples, entry.by, entry.place) = (size, samples ?? [], by, place)
        return entry
    }
}

extension AcceptedLoss.Size {
    /// Reads "5 %", or a number with the unit of a metric.
    init?(_ text: String, of metric: Metric) {
        guard let match = text.wholeMatch(of: /(?<number>[0-9.]+) *(?<unit>%|points?|ms|MB)?/),
            let number = Double(match.number)
        else { return nil }
        let unit = match.unit.map { $0 == "point" ? "points" : String($0) } ?? ""
        if unit == "%" {
            self.init(number / 100, isRelative: true)
        } else if unit == metric.unit.lossUnit, metric != .latency {
            self.init(number * metric.unit.lossScale, isRelative: false)
        } else {
            return nil
        }
    }

    /// Returns the size as it is written in a file.
    package func text(of metric: Metric) -> String {
        if isRelative { return NumberText.short((value * 1e8).rounded() / 1e6) + " %" }
        let unit = metric.unit
        let number = NumberText.short((value / unit.lossScale * 1e6).rounded() / 1e6)
        return unit.lossUnit.isEmpty ? number : "\(number) \(unit.lossUnit)"
    }
}

extension Metric.Unit {
    fileprivate var lossUnit: String {
        switch self {
        case .share: "points"
        case .milliseconds: "ms"
        case .bytes, .byteDifference: "MB"
        case .score, .bytesPerScan, .count, .work: ""
        }
    }

    /// Factor from the unit of a written loss to the metric's.
    package var lossScale: Double { self == .share ? 0.01 : suite.scale }
}
