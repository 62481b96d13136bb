import Basics
import Foundation
package import SpineDatasets

/// Samples that must not be divided: those of one group, and those whose pictures show the same.
package struct SampleClusters {
    /// Parent of each sample in its cluster; the representative is its own parent.
    private var parent: [Int]

    package init(_ samples: [Sample], in store: PictureStore) {
        parent = Array(samples.indices)
        var firstOfGroup: [String: Int] = [:]
        var firstOfDigest: [String: Int] = [:]
        var originals: [(index: Int, fingerprint: PictureFingerprint)] = []
        let checks = concurrentMap(samples.count) { PictureCheck(samples[$0].image, in: store) }
        for (index, sample) in samples.enumerated() {
            if let group = sample.group {
                if let first = firstOfGroup[group] { join(index, first) } else { firstOfGroup[group] = index }
            }
            guard let digest = checks[index].digest else { continue }
            if let first = firstOfDigest[digest] {
                join(index, first)
                continue
            }
            firstOfDigest[digest] = index
            if let fingerprint = checks[index].fingerprint {
                // Joined samples need not be compared.
                for original in originals where top(original.index) != top(index) {
                    if fingerprint.isNear(original.fingerprint) { join(index, original.index) }
                }
                originals.append((index, fingerprint))
            }
        }
    }

    /// Returns the samples with a group for each cluster: that of its first sample with one, or the first sample's id.
    package func grouped(_ samples: [Sample]) -> [Sample] {
        let members = Dictionary(grouping: samples.indices, by: top)
        var grouped = samples
        for cluster in members.values where cluster.count > 1 {
            let name = cluster.lazy.compactMap { samples[$0].group }.first ?? samples[cluster[0]].id
            for index in cluster { grouped[index].group = name }
        }
        return grouped
    }

    private func top(_ index: Int) -> Int {
        var index = index
        while parent[index] != index { index = parent[index] }
        return index
    }

    private mutating func join(_ a: Int, _ b: Int) {
        let (first, second) = (top(a), top(b))
        parent[max(first, second)] = min(first, second)
    }
}
