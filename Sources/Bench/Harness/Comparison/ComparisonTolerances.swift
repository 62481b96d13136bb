import Basics
import Evaluation
import Statistics

extension ComparisonTolerances {
    /// Tolerances without those of speed and memory, which differ between two measurements of one build.
    package var exactOnly: ComparisonTolerances { keeping { [.accuracy, .work].contains($0.family) } }

    func keeping(_ gates: (Metric) -> Bool) -> ComparisonTolerances {
        var tolerances = self
        tolerances.changes = changes.filter { gates($0.key) }
        return tolerances
    }

    /// Says what a gate on titles needs before it can fail; `photos` are those of the samples, nil for one of its own.
    package func needs(photos: [String?]) -> String {
        let bootstrap = GroupBootstrap(photos: photos)
        let count = NumberText.count(photos.count, "sample") + " on " + NumberText.count(bootstrap.groupCount, "photo")
        if let lack = bootstrap.lack {
            return
                "A gate on titles cannot fail with \(count) (\(lack)): equal readings pass, a lost title is not decided "
                + "until there are more photos."
        }
        // 4/√4 is beyond 1.96: fewer losses may be chance.
        let least = max(4, Int((self[.titleRead] ?? 0) * Double(photos.count)) + 1)
        return
            "A gate on titles fails from \(least) lost titles on, of \(count), if each is on another photo and none gained."
    }

    /// Returns the standard ones with the changes that `text` names: "latency=5%,p95=10%,title-read=2,memory=off".
    ///
    /// Numbers are percent, or points of a share, with or without the sign; `memory-delta` takes megabytes, and `memory`
    /// is the peaks of both figures of memory, `counts` all counts of work.
    package static func parse(_ text: String) throws -> ComparisonTolerances {
        try text.split(separator: ",").reduce(into: standard) { tolerances, part in
            let sides = part.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            let name = sides.first ?? ""
            // One name for several.
            let metrics: [Metric] =
                switch name {
                case "memory": [.peakFootprint, .peakResident]
                case "counts": Metric.works
                default: [Metric.named(name)].compactMap(\.self)
                }
            guard sides.count == 2, let first = metrics.first, Metric.compared.contains(first) else {
                throw HarnessError.configuration(
                    "invalid --gate \"\(part)\": "
                        + (Metric.advice(for: name)
                            ?? "expected NAME=PERCENT or NAME=off, where NAME is one of \(Metric.gateNames), memory, or counts")
                )
            }
            let value = sides[1].wholeMatch(of: /(?<number>[0-9]*\.?[0-9]+)(?<unit>%|MB)?/)
            let number = value.flatMap { Double($0.number) }
            switch (number, value?.unit) {
            case _ where sides[1] == "off": for metric in metrics { tolerances[metric] = nil }
            case (let number?, "MB") where first.isPeakOfMemory: tolerances.leastBytes = number * 1e6
            case (let number?, nil), (let number?, "%"):
                for metric in metrics {
                    tolerances[metric] = metric.unit == .byteDifference ? number * 1e6 : number / 100
                }
            default:
                throw HarnessError.configuration(
                    "invalid --gate \(name)=\(sides[1]): expected a percentage of 0 or more, or off"
                )
            }
        }
    }
}
