import Basics
import Evaluation
import SpineDatasets

/// A measurement that is faster than another one of the same samples.
package struct SpeedRatio: Sendable, Equatable, Codable {
    package var faster: String
    package var slower: String
    /// Latency of the slower one as a multiple of the other's, with its interval at 95 % over photos: in a run by P50, and
    /// what the machine did meanwhile is not in the interval, as they were not read in turns.
    package var ratio: BoundedValue

    /// Readings beyond which nothing is compared: the interval takes seconds.
    private static let mostReadings = 50_000

    /// Creates it from a change of latency from one to another; nil where that is absent.
    package init?(_ row: ComparisonRow, _ first: String, _ other: String) {
        guard let change = row.change.value else { return nil }
        (faster, slower) = change <= 0 ? (other, first) : (first, other)
        func ratio(_ value: Double) -> Double { change <= 0 ? 1 / (1 + value) : 1 + value }
        let ends = row.interval.value.map { [ratio($0.lowerBound), ratio($0.upperBound)].sorted() }
        self.ratio = BoundedValue(ratio(change), ends?[0], ends?[1])
    }

    /// Returns every timed measurement of the scenario single against the first one of its dataset and subject.
    static func all(_ measurements: [MeasurementResult], _ readings: [String: ReadingSet]) -> [SpeedRatio] {
        let own = measurements.filter { $0.scenario.kind == .single && !$0.isUntimed && !$0.isOfSeveralMachines }
        return own.compactMap { one in
            let first = own.first { $0.dataset == one.dataset && $0.variant.subject == one.variant.subject }
            guard let first, first.id != one.id, let a = readings[first.id], let b = readings[one.id],
                a.entries.reduce(0, { $0 + $1.readings.count }) <= Self.mostReadings
            else { return nil }
            return SpeedRatio(SidePair(a, b).row(.latencyP50), first.id, one.id)
        }
    }
}

extension ReadingSet {
    /// Creates a side of times alone.
    init(timesOf samples: [Sample], _ records: [SampleRecord]) {
        let byID = Dictionary(grouping: records, by: \.id)
        self.init(
            entries: samples.compactMap { sample in
                byID[sample.id].map { Entry(sample, timesOf: $0.sorted { $0.repetition < $1.repetition }) }
            }
        )
    }
}
