import Evaluation
package import Harness

extension ComparisonTolerances {
    /// Tolerances without those of speed and memory.
    package var accuracyOnly: ComparisonTolerances {
        var tolerances = self
        for metric in Metric.compared where metric.meaning.family != .accuracy { tolerances[metric] = nil }
        return tolerances
    }

    /// Returns the standard ones with the changes that `text` names: "latency=5%,p95=10%,title-read=2,memory=off".
    ///
    /// Numbers are percent, or points of a share, with or without the sign; `memory-delta` takes megabytes.
    ///
    /// - Throws: ``HarnessError/configuration(_:)`` for an unknown name or an invalid number.
    package static func parse(_ text: String) throws -> ComparisonTolerances {
        var tolerances = standard
        for part in text.split(separator: ",") {
            let sides = part.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            guard sides.count == 2, let metric = Metric.named(sides[0]), Metric.compared.contains(metric) else {
                let names = Metric.compared.map(\.id).joined(separator: ", ")
                throw HarnessError.configuration(
                    "invalid --gate \"\(part)\": expected NAME=PERCENT or NAME=off, where NAME is one of \(names)"
                )
            }
            if sides[1] == "off" {
                tolerances[metric] = nil
                continue
            }
            if metric == .peakMemory, sides[1].hasSuffix("MB"), let megabytes = Double(sides[1].dropLast(2)),
                megabytes >= 0, megabytes.isFinite
            {
                tolerances.leastBytes = megabytes * 1e6
                continue
            }
            let digits = sides[1].hasSuffix("%") ? String(sides[1].dropLast()) : sides[1]
            guard let number = Double(digits), number >= 0, number.isFinite else {
                throw HarnessError.configuration(
                    "invalid --gate \(sides[0])=\(sides[1]): expected a percentage of 0 or more, or off"
                )
            }
            tolerances[metric] = metric.meaning.unit == .byteDifference ? number * 1e6 : number / 100
        }
        return tolerances
    }
}
