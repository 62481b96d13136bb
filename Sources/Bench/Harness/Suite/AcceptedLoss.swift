import Basics
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

    /// Keys of an entry, which `Docs/MEASURING.md` explains.
    package static let keys = [
        "variant", "dataset", "metric", "loss", "samples", "against", "category", "why", "by", "until",
    ]

    /// Returns the entries of a file's text.
    package static func parse(_ text: String, path: String) throws(SuiteFaults) -> [AcceptedLoss] {
        let faults = YAMLValue.FaultCollector(file: path)
        let root = YAMLDocument.root(of: text, faults: faults, expected: "a list 'accepted'")
        let losses = root?.fields(["accepted"], expected: "a mapping with the key 'accepted'")?["accepted"]?
            .list(expected: "a list of entries").compactMap { AcceptedLoss($0, path) }
        guard let losses, faults.faults.isEmpty else {
            if faults.faults.isEmpty { root?.fault("the key \"accepted\" is missing") }
            throw SuiteFaults(faults.faults)
        }
        return losses
    }

    private init?(_ entry: YAMLValue, _ path: String) {
        guard let fields = entry.fields(Self.keys, expected: "a mapping with the key 'variant'") else {
            return nil
        }
        func text(_ key: String, _ expected: String) -> String? {
            if fields[key] == nil { entry.fault("the key \"\(key)\" is missing") }
            return fields[key]?.text(expected: expected)
        }
        let names = (text("variant", "a variant"), text("dataset", "the name of a dataset"))
        let (why, date) = (text("why", "one sentence"), text("until", "a date such as 2026-12-31"))
        if let date, !Self.isDate(date) { fields["until"]?.unexpected("a date such as 2026-12-31") }
        if (fields["loss"] == nil) == (fields["samples"] == nil) {
            entry.fault("expected exactly one of loss and samples")
        }
        if fields["metric"] == nil, fields["samples"] == nil { entry.fault("the key \"metric\" is missing") }
        metric = fields["metric"].flatMap { value in
            guard let name = value.text(expected: "a metric") else { return nil }
            if let metric = Metric.named(name) { return metric }
            if let advice = Metric.advice(for: name) {
                value.fault(advice)
            } else {
                value.unknown("metric", name, among: Metric.current.map(\.id))
            }
            return nil
        }
        category = fields["category"]?.text(expected: "a category")
        against = fields["against"]?.choice(Reference.self) ?? .baseline
        if against == .target, let samples = fields["samples"] {
            samples.fault("samples are of a baseline; expected loss")
        }
        if against == .baseline, let category = fields["category"] { category.fault("a category is of a target") }
        samples = fields["samples"]?.list(expected: "a list of ids").compactMap { $0.text(expected: "an id") } ?? []
        by = fields["by"]?.text(expected: "a name")
        place = "\(path):\(entry.place.line)"
        if let value = fields["loss"], let metric {
            loss = value.text.flatMap { Size($0, of: metric) }
            let unit = metric.unit.lossUnit
            let other = metric == .latency ? "" : " or 3\(unit.isEmpty ? "" : " ")\(unit)"
            if loss == nil { value.unexpected("a loss such as 5 %\(other)") }
        }
        guard let variant = names.0, let dataset = names.1, let why, let date else { return nil }
        (self.variant, self.dataset, self.why, until) = (variant, dataset, why, date)
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
        case .score, .bytesPerScan, .count: ""
        }
    }

    /// Factor from the unit of a written loss to the metric's.
    package var lossScale: Double { self == .share ? 0.01 : suite.scale }
}
