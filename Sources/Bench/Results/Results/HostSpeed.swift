import Basics
import Evaluation
import Foundation
package import Harness

/// Speed of a host, with its load, during the readings of a measurement: the times of the reference work between them.
///
/// Latencies of two hosts are compared in units of a mix of that work, in which each kind counts by its share of the
/// readings' time. Times are averaged by their logarithms, and two hosts' shares by their mean (Törnqvist's index:
/// Diewert, "Exact and superlative index numbers", Journal of Econometrics 4, 1976).
package struct HostSpeed: Sendable, Equatable, Codable {
    /// Geometric means in milliseconds, by ``ReferenceKind``.
    package var milliseconds: [String: Double]
    /// Shares of the readings' time, by ``ReferenceKind``; their sum is 1.
    package var shares: [String: Double]
    /// Number of times that the work was done.
    package var count: Int
    /// Precision of the networks, which the engine may have chosen, and the engine's version.
    package var precision: String
    package var engine: String

    /// Creates the speed of a measurement's records; nil when no reference work was done, or the stages are unknown.
    package init?(_ records: [SampleRecord], description: [String: String]) {
        let works = records.compactMap { $0.prediction?.reference }
        let timed = records.compactMap { record -> (stages: StageTimes, total: Double)? in
            guard let stages = record.prediction?.stages, stages[.recognitionInference] != nil else { return nil }
            return record.milliseconds.map { (stages, $0) }
        }
        let total = timed.reduce(0) { $0 + $1.total }
        guard !works.isEmpty, total > 0 else { return nil }
        func share(_ stage: Stage) -> Double { timed.reduce(0) { $0 + ($1.stages[stage] ?? 0) } / total }
        let (detection, recognition) = (share(.detectionInference), share(.recognitionInference))
        milliseconds = [:]
        for kind in ReferenceKind.allCases.map(\.rawValue) {
            let logarithms = works.compactMap { $0[kind].flatMap { $0 > 0 ? log($0) : nil } }
            guard logarithms.count == works.count else { return nil }
            milliseconds[kind] = exp(logarithms.reduce(0, +) / Double(logarithms.count))
        }
        shares = [
            ReferenceKind.detection.rawValue: detection, ReferenceKind.recognition.rawValue: recognition,
            ReferenceKind.image.rawValue: max(0, 1 - detection - recognition),
        ]
        count = works.count
        precision = description["precision"].map { String($0.prefix { $0 != " " }) } ?? ""
        engine = description["engine"] ?? ""
    }

    /// Milliseconds of one unit: of the mix of the readings' own shares.
    package var unit: Double { exp(logarithm(of: shares)) }

    private func logarithm(of mix: [String: Double]) -> Double {
        // In a fixed order, so that the sum is the same in every process.
        mix.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value * log(milliseconds[$1.key] ?? 1) }
    }

    /// Returns the logarithm of the ratio of another host's unit to this one's, for the mean of their mixes.
    package func logarithm(to other: HostSpeed) -> Double {
        let mix = shares.mapValues { $0 / 2 }.merging(other.shares.mapValues { $0 / 2 }, uniquingKeysWith: +)
        return other.logarithm(of: mix) - logarithm(of: mix)
    }

    /// Returns why another host's latencies cannot be converted to this one's; nil when they can.
    package func objection(to other: HostSpeed) -> String? {
        if precision != other.precision {
            return "its networks computed in \(other.precision), and here in \(precision)"
        }
        if engine != other.engine { return "its engine was \(other.engine), and here it is \(engine)" }
        let kinds = Set(shares.keys).union(other.shares.keys)
        // The mix that the other host's readings would have here: a share grows with the time of its kind.
        let expected = other.shares.reduce(into: [:]) { mix, share in
            mix[share.key] = share.value * (milliseconds[share.key] ?? 0) / (other.milliseconds[share.key] ?? .infinity)
        }
        let sum = expected.values.reduce(0, +)
        guard sum > 0 else { return "its stage mix is unknown" }
        let distance = kinds.reduce(0) { $0 + abs((shares[$1] ?? 0) - (expected[$1] ?? 0) / sum) } / 2
        return distance <= Self.furthestMix
            ? nil
            : "its stage mix is \(NumberText.fixed(distance * 100, 0)) points from the one here (\(other.mixText), and here \(mixText))"
    }

    /// Sum of moved shares from which readings are another kind of work: a stage that became a third slower moves less.
    private static let furthestMix = 0.25

    /// "detection 24 %, recognition 70 %, image 6 %".
    package var mixText: String {
        ReferenceKind.allCases.compactMap { kind in
            shares[kind.rawValue].map { "\(kind.rawValue) \(NumberText.fixed($0 * 100, 0)) %" }
        }.joined(separator: ", ")
    }

    /// Returns the geometric means of several runs on one host; nil without any, or when one has none.
    static func mean(_ speeds: [HostSpeed?]) -> HostSpeed? {
        let known = speeds.compactMap(\.self)
        guard var mean = known.first, known.count == speeds.count else { return nil }
        let count = Double(known.count)
        for key in mean.milliseconds.keys {
            mean.milliseconds[key] = exp(known.reduce(0) { $0 + log($1.milliseconds[key] ?? 1) } / count)
        }
        for key in mean.shares.keys { mean.shares[key] = known.reduce(0) { $0 + ($1.shares[key] ?? 0) } / count }
        mean.count = known.reduce(0) { $0 + $1.count }
        return mean
    }
}

/// Error of converting latencies between kinds of hosts and settings, found by leaving out one kind at a time.
package struct UnitConversion: Sendable, Equatable, Codable {
    /// Kinds that were seen: host, precision and threads.
    package var kinds: [String]
    /// Mean logarithm of their latencies in units, relative to the baseline's.
    package var offset: Double
    /// Largest distance, with 95 % confidence, of the logarithm of a further kind's latency in units from ``offset``.
    package var reach: Double

    /// Creates the error, nil for fewer than three kinds.
    ///
    /// `own` has the logarithms of latencies in units of each kind's runs, relative to the baseline's, which is a kind itself;
    /// `all` has those of every variant.
    ///
    /// With K kinds, and the standard deviation s between kinds of every variant, of n degrees of freedom, a kind that is
    /// left out is within t(0.975, n) s √(1 + 1/K) of the mean of K others.
    package init?(_ own: [String: [Double]], among all: [[String: [Double]]]) {
        guard own.count >= 3 else { return nil }
        kinds = own.keys.sorted()
        var (squares, freedom) = (0.0, 0.0)
        for logarithms in all where logarithms.count >= 2 {
            let variance = Self.means(logarithms).meanAndVariance.variance
            squares += variance * Double(logarithms.count - 1)
            freedom += Double(logarithms.count - 1)
        }
        offset = Self.means(own).meanAndVariance.mean
        reach =
            StudentT.quantile(0.975, degreesOfFreedom: freedom)
            * (squares / freedom * (1 + 1 / Double(own.count))).squareRoot()
    }

    private static func means(_ logarithms: [String: [Double]]) -> [Double] {
        logarithms.sorted { $0.key < $1.key }.map { $0.value.reduce(0, +) / Double($0.value.count) }
    }

    /// Returns the ratio of latencies at `other` to those at `speed`.
    func factor(from speed: HostSpeed, to other: HostSpeed) -> Double { exp(speed.logarithm(to: other) + offset) }

    /// ``reach`` as a share of a latency.
    package var reachShare: Double { expm1(reach) }
}
