package import Evaluation

/// By how much each metric may get worse before it is a regression.
package struct ComparisonTolerances: Sendable, Equatable, Codable {
    /// By metric's raw value: a share of the old value, or points as a share; a metric without one does not gate.
    package var changes: [String: Double]
    /// Peak memory has to grow by so much as well: 5 % of a small process is noise of the allocator.
    package var leastBytes: Double

    package static let standard = ComparisonTolerances(
        changes: [
            Metric.titleRead.rawValue: 0.02, Metric.latency.rawValue: 0.05, Metric.latencyP95.rawValue: 0.1,
            Metric.peakMemory.rawValue: 0.05,
        ],
        leastBytes: 10e6
    )

    /// The tolerance of a metric; nil when it does not gate.
    package subscript(metric: Metric) -> Double? {
        get { changes[metric.rawValue] }
        set { changes[metric.rawValue] = newValue }
    }

    /// The standard ones with the changes that `text` names: "latency=5%,p95=10%,title-read=2,memory=off".
    ///
    /// Numbers are percent, or points of a share, with or without the sign; `memory-delta` takes megabytes.
    ///
    /// - Throws: ``HarnessError/configuration(_:)`` for an unknown name or a number that makes no sense.
    package static func parse(_ text: String) throws -> ComparisonTolerances {
        var tolerances = standard
        for part in text.split(separator: ",") {
            let sides = part.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            guard sides.count == 2, let metric = Metric.named(sides[0]), Metric.compared.contains(metric) else {
                let names = Metric.compared.map(\.id).joined(separator: ", ")
                throw HarnessError.configuration(
                    "--gate has \"\(part)\"; expected NAME=PERCENT or NAME=off, where the name is one of \(names)"
                )
            }
            if sides[1] == "off" {
                tolerances[metric] = nil
                continue
            }
            let digits = sides[1].hasSuffix("%") ? String(sides[1].dropLast()) : sides[1]
            guard let number = Double(digits), number >= 0, number.isFinite else {
                throw HarnessError.configuration(
                    "--gate \(sides[0]) is \"\(sides[1])\"; expected a number of percent, 0 or more, or off"
                )
            }
            tolerances[metric] = metric.meaning.unit == .byteDifference ? number * 1e6 : number / 100
        }
        return tolerances
    }
}
