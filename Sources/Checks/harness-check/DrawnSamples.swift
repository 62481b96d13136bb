import Basics
import Statistics

extension SplitMix64 {
    /// A draw from the standard normal distribution.
    mutating func nextNormal() -> Double {
        // Half a step up, so that it is never 0.
        Normal.quantile(nextDouble() + 0x1p-54)
    }
}

/// Groups of samples, as photos have spines: groups vary in size, and the samples of one are alike.
struct DrawnSamples {
    /// Group of each sample.
    var groups: [Int] = []
    /// What the samples of a group share: one standard normal value, repeated.
    var shared: [Double] = []
    /// What is each sample's own: standard normal.
    var own: [Double] = []

    /// - Parameters:
    ///   - groupCount: How many groups.
    ///   - sizes: Each group's size is drawn from these.
    ///   - random: What to draw with.
    init(groupCount: Int, sizes: ClosedRange<Int>, _ random: inout SplitMix64) {
        for group in 0..<groupCount {
            let effect = random.nextNormal()
            for _ in 0..<sizes.lowerBound + random.below(sizes.count) {
                groups.append(group)
                shared.append(effect)
                own.append(random.nextNormal())
            }
        }
    }

    /// Standard normal values of which the share `correlation` of the variance is the group's.
    func values(correlation: Double) -> [Double] {
        let (between, within) = (correlation.squareRoot(), (1 - correlation).squareRoot())
        return zip(shared, own).map { between * $0 + within * $1 }
    }
}
