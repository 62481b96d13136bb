import Basics
package import SpineDatasets

/// Assignment of samples to splits: whole groups, every category in the requested shares as far as the groups allow.
///
/// Every group has a place between 0 and 1 by a hash of its name and the seed, and the shares cut that line into
/// splits; groups are then moved, one at a time, while that brings the counts closer to the shares. So a sample that
/// is added later leaves nearly all others where they were.
package struct SplitPlan: Sendable, Equatable {
    package struct Share: Sendable, Equatable {
        package var name: String
        package var share: Double

        package init(name: String, share: Double) { (self.name, self.share) = (name, share) }
    }

    package private(set) var splits: [String] = []

    private let shares: [Share]
    private var groups: [Group] = []
    /// Wanted samples by split and category.
    private var targets: [[Double]] = []
    private var counts: [[Double]] = []

    private struct Group: Sendable, Equatable {
        /// Position on the line from 0 to 1.
        var place: Double
        var counts: [Double]
        var split = 0
    }

    package init(_ samples: [Sample], shares: [Share], seed: UInt64) {
        self.shares = shares
        let categories = SampleCategory.allCases
        var indexOfGroup: [String: Int] = [:]
        var groupOfSample: [Int] = []
        for sample in samples {
            // A photo may be called as a sample is: the two must not meet.
            let name = sample.group.map { "group \($0)" } ?? "sample \(sample.id)"
            let index = indexOfGroup[name] ?? groups.count
            if index == groups.count {
                indexOfGroup[name] = index
                let zeros = [Double](repeating: 0, count: categories.count)
                groups.append(Group(place: Self.place(of: name, seed: seed), counts: zeros))
            }
            groups[index].counts[categories.firstIndex(of: sample.category) ?? 0] += 1
            groupOfSample.append(index)
        }
        targets = shares.map { share in
            categories.map { category in share.share * Double(samples.count { $0.category == category }) }
        }
        counts = targets.map { $0.map { _ in 0 } }
        let bounds = Self.bounds(shares)
        for index in groups.indices {
            groups[index].split = bounds.firstIndex { groups[index].place < $0.upperBound } ?? shares.count - 1
            add(groups[index], to: groups[index].split, 1)
        }
        while improve(bounds) {}
        splits = groupOfSample.map { shares[groups[$0].split].name }
    }

    private static func bounds(_ shares: [Share]) -> [Range<Double>] {
        var start = 0.0
        return shares.map { share in
            defer { start += share.share }
            return start..<(start + share.share)
        }
    }

    /// Returns the FNV-1a of the name with the seed, its bits mixed as by SplitMix64, as a share of all values.
    private static func place(of name: String, seed: UInt64) -> Double {
        let step: UInt64 = 0x9e37_79b9_7f4a_7c15
        var hash = FNV1a()
        hash.value ^= seed &* step
        hash.append(name.utf8)
        var random = SplitMix64(state: hash.value &- step)
        return random.nextDouble()
    }

    private mutating func add(_ group: Group, to split: Int, _ sign: Double) {
        for category in group.counts.indices { counts[split][category] += sign * group.counts[category] }
    }

    /// Makes the move that helps most, of equal ones that of the group nearest to its new split; false when none helps.
    private mutating func improve(_ bounds: [Range<Double>]) -> Bool {
        var best: (gain: Double, distance: Double, group: Int, split: Int)?
        for (index, group) in groups.enumerated() {
            let leaving = cost(group.split, with: group, 0) - cost(group.split, with: group, -1)
            for split in shares.indices where split != group.split {
                let gain = leaving - (cost(split, with: group, 1) - cost(split, with: group, 0))
                let distance = max(bounds[split].lowerBound - group.place, group.place - bounds[split].upperBound)
                guard gain > 1e-9 else { continue }
                guard let current = best else {
                    best = (gain, distance, index, split)
                    continue
                }
                // Equal gains come out of other sums: they differ in the last bits.
                if gain > current.gain + 1e-9 || gain > current.gain - 1e-9 && distance < current.distance {
                    best = (gain, distance, index, split)
                }
            }
        }
        guard let best else { return false }
        add(groups[best.group], to: groups[best.group].split, -1)
        add(groups[best.group], to: best.split, 1)
        groups[best.group].split = best.split
        return true
    }

    /// Returns the deviation of a split with `sign` times the group more: squared, relative to the targets, over the
    /// categories that the group has, and the whole.
    private func cost(_ split: Int, with group: Group, _ sign: Double) -> Double {
        var (cost, change) = (0.0, 0.0)
        for (category, count) in group.counts.enumerated() where count > 0 {
            let off = counts[split][category] + sign * count - targets[split][category]
            cost += off * off / targets[split][category]
            change += sign * count
        }
        let target = targets[split].reduce(0, +)
        let off = counts[split].reduce(0, +) + change - target
        return cost + off * off / target
    }
}
