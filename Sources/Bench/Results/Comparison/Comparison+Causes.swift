import Basics
import Evaluation
import SpineDatasets

extension Comparison {
    /// Adds where a loss comes from: of time, the stage that grew most; of titles, the slice that lost most.
    ///
    /// `dataset` has the samples' properties; nil when it cannot be read.
    mutating func explain(_ dataset: Dataset?) {
        guard sides.count == 2 else { return }
        let pairs = SamplePairs(sides[0], sides[1]).pairs
        func isWorse(_ metrics: Set<Metric>) -> Bool {
            rows.contains { metrics.contains($0.metric) && $0.status == .worse }
        }
        let found = [
            isWorse([.latency, .latencyP50, .latencyP95, .latencyP99]) ? Self.slowerStage(pairs) : nil,
            isWorse([.titleRead]) ? dataset.flatMap { Self.losingSlice(pairs, $0) } : nil,
        ].compactMap(\.self)
        causes = found.isEmpty ? nil : found
    }

    /// Returns the stage whose time grew most, if one grew beyond chance; nil for records without stages.
    static func slowerStage(_ pairs: [SamplePairs.Pair]) -> String? {
        let pairs = pairs.filter { !$0.a.stages.isEmpty && !$0.b.stages.isEmpty }
        guard !pairs.isEmpty else { return nil }
        let bootstrap = SamplePairs.bootstrap(pairs)
        let each = [Double](repeating: 1, count: pairs.count)
        func mean(_ side: KeyPath<SamplePairs.Pair, ReadingSet.Entry>, _ stage: String?) -> Double {
            pairs.reduce(0) { sum, pair in
                let stages = pair[keyPath: side].stages
                return sum + (stage.map { stages[$0] ?? 0 } ?? stages.values.sorted().reduce(0, +))
            } / Double(pairs.count)
        }
        let (totalA, totalB) = (mean(\.a, nil), mean(\.b, nil))
        let grown = Set(pairs.flatMap { [$0.a, $0.b] }.flatMap(\.stages.keys)).sorted().compactMap { name in
            let change = bootstrap.ofRatio(pairs.map { ($0.b.stages[name] ?? 0) - ($0.a.stages[name] ?? 0) }, each)
            return (change.value?.lowerBound ?? 0) > 0 ? (name: name, a: mean(\.a, name), b: mean(\.b, name)) : nil
        }
        guard let stage = grown.max(by: { $0.b - $0.a < $1.b - $1.a }), totalA > 0, totalB > 0 else { return nil }
        let size = Metric.latencyP50.unit.text
        let shares = [stage.a / totalA, stage.b / totalB].map { NumberText.percent($0) }
        return "Slower in \(stage.name): +\(size(stage.b - stage.a)) a reading of \(totalB < totalA ? "−" : "+")"
            + "\(size(abs(totalB - totalA))) in all stages; its share was \(shares[0]), and is \(shares[1])."
    }

    /// Returns the slice of the titles that A read in which B loses more than elsewhere, beyond chance.
    static func losingSlice(_ pairs: [SamplePairs.Pair], _ dataset: Dataset) -> String? {
        let samples = Dictionary(first: dataset.samples.map { ($0.id, $0) })
        let kept = pairs.compactMap { pair -> (sample: Sample, isRead: Bool)? in
            guard pair.a.title == true, let isRead = pair.b.title else { return nil }
            return samples[pair.a.id].map { ($0, isRead) }
        }
        guard let slices = Slices(kept, traits: dataset.traits) else { return nil }
        func lost(_ rate: RateEstimate) -> Int { rate.trials - rate.successes }
        let all = slices.overall
        let worst = slices.slices.filter {
            $0.standsOut && lost($0.rate) * all.trials > lost(all) * $0.rate.trials
        }.min { ($0.correctedP ?? 1) < ($1.correctedP ?? 1) }
        guard let worst, let p = worst.correctedP else {
            return "No slice of the titles that A read loses more than the others beyond chance."
        }
        return
            "Lost most in \(worst.property) \(worst.values): \(lost(worst.rate)) of \(worst.rate.trials) titles that A read; "
            + "elsewhere \(lost(all) - lost(worst.rate)) of \(all.trials - worst.rate.trials) "
            + "(p \(NumberText.p(p)), corrected for all slices)."
    }
}
