package import Basics
import Statistics

/// Figures of a model at their nominal values, and drawn from their ranges: each draw is a phone that is as plausible as any
/// other.
///
/// A figure has a triangular distribution from its low over its value to its high, independent of the others, but that
/// the temperatures of the thermal states and their speeds are put in order. Of one seed, a figure has the same place in
/// its range in a draw for each variant and each device, so that two variants are compared on the same phone.
///
/// Source of the distribution: JCGM 100:2008 (GUM), 4.3.9, for bounds and a likeliest value.
package struct Draws: Sendable {
    package static let count = 400

    package let nominal: DeviceValues
    package let settings: [DeviceValues]
    /// Figures that are not known exactly and matter, with their ranks in the draws.
    let uncertain: [(figure: DeviceFigure, estimate: Estimate, ranks: [Double])]

    package var all: [DeviceValues] { [nominal] + settings }

    /// Draws figures: a profile's, and those that scale readings where they are used.
    ///
    /// `relevant`: Figures that matter, in a fixed order.
    package init(_ figures: [DeviceFigure: Estimate], relevant: [DeviceFigure], seed: UInt64) {
        nominal = DeviceValues(figures.mapValues(\.value))
        let drawn = figures.map { ($0, Self.places($0.rawValue, seed).map($1.quantile)) }
        settings = (0..<Self.count).map { place in
            DeviceValues(Dictionary(uniqueKeysWithValues: drawn.map { ($0, $1[place]) })).inOrder
        }
        uncertain = relevant.compactMap { figure in
            guard let estimate = figures[figure], estimate.low < estimate.high else { return nil }
            return (figure, estimate, RankCorrelation.ranks(Self.places(figure.rawValue, seed)))
        }
    }

    /// Returns a figure's places in its range, 0..<1, in all draws.
    static func places(_ key: String, _ seed: UInt64) -> [Double] {
        var random = key.utf8.reduce(into: SplitMix64(state: seed)) { random, byte in
            random = SplitMix64(state: random.next() ^ UInt64(byte))
        }
        return (0..<count).map { _ in random.nextDouble() }
    }

    /// Returns the correlation of a figure's ranks with those of an outcome in the draws; nil without one.
    func correlations(with outcome: [Double?]) -> [Double?] {
        let ranks = RankCorrelation.ranks(outcome.map { $0 ?? .infinity })
        return uncertain.map { RankCorrelation.pearson($0.ranks, ranks) }
    }

    /// Returns the name of the figure that decides an outcome most; nil when none does.
    func mostDeciding(_ outcome: [Double?]) -> String? {
        Self.mostDeciding(outcome, uncertain.map { ($0.figure.name, $0.ranks) })
    }

    /// Returns the name of the figure that decides an outcome most, of some with their ranks.
    static func mostDeciding(_ outcome: [Double?], _ figures: [(name: String, ranks: [Double])]) -> String? {
        let ranks = RankCorrelation.ranks(outcome.map { $0 ?? .infinity })
        return figures.compactMap { figure in
            RankCorrelation.pearson(figure.ranks, ranks).map { (figure.name, abs($0)) }
        }.max { $0.1 < $1.1 }?.0
    }
}

extension Estimate {
    /// The estimate of a figure that is known exactly.
    package init(exactly value: Double) { self.init(value, low: value, high: value, source: "exact", kind: .assumed) }

    /// Returns the quantile of the triangular distribution at a share of 0..<1.
    func quantile(_ share: Double) -> Double {
        let (width, left) = (high - low, value - low)
        return share * width < left
            ? low + (share * width * left).squareRoot() : high - ((1 - share) * width * (high - value)).squareRoot()
    }
}

extension DeviceValues {
    /// The same, with rising temperatures of the thermal states, and speeds that do not rise.
    fileprivate var inOrder: DeviceValues {
        var values = self
        func sort(_ figures: [DeviceFigure], by isBefore: (Double, Double) -> Bool) {
            for (figure, value) in zip(figures, figures.map { self[$0] }.sorted(by: isBefore)) {
                values[figure] = value
            }
        }
        sort([.fairAt, .seriousAt, .criticalAt], by: <)
        sort([.fairSpeed, .seriousSpeed, .criticalSpeed], by: >)
        return values
    }
}

/// Figure at nominal values, and in each draw.
package struct Drawn: Sendable, Equatable, Codable {
    package var nominal: Figure
    /// nil where it is beyond any limit, such as energy that found no book; empty when it has no value at all.
    package var draws: [Double?]

    package init(nominal: Figure, draws: [Double?]) { (self.nominal, self.draws) = (nominal, draws) }

    /// Creates a figure that is absent for a reason, or beyond any limit in all draws.
    init(absent reason: String, isEndless: Bool = false) {
        self.init(nominal: .absent(reason), draws: isEndless ? [Double?](repeating: nil, count: Draws.count) : [])
    }

    package var spread: Spread {
        let sorted = draws.map { $0 ?? .infinity }.sorted()
        guard !sorted.isEmpty, sorted[0].isFinite else { return Spread(nominal: nominal) }
        let (low, high) = (Percentile.nearestRank(5, of: sorted), Percentile.nearestRank(95, of: sorted))
        return Spread(nominal: nominal, range: high.isFinite && high - low > 1e-9 * abs(high) ? low...high : nil)
    }
}

/// Figure at nominal values, and its 5th to 95th percentile in the draws; without those for one known exactly.
package struct Spread: Sendable, Equatable, Codable {
    package var nominal: Figure
    package var range: ClosedRange<Double>?
}
