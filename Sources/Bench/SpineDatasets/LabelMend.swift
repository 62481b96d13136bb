/// Correction of labels of a dataset whose samples and pictures are the same as before.
///
/// Runs over the dataset of before can be scored with the new labels.
package struct LabelMend: Sendable, Equatable, Codable {
    /// Digest of the dataset before and after it.
    package var from: String
    package var to: String
    /// Ids of the samples whose labels changed.
    package var samples: [String]
    package var why: String?
    /// ISO 8601, UTC.
    package var at: String

    package init(from: String, to: String, samples: [String], why: String?, at: String) {
        (self.from, self.to, self.samples, self.why, self.at) = (from, to, samples, why, at)
    }

    /// Creates the correction that leads from `old` to `new`; nil where the two have other samples, pictures or shelves, or equal
    /// labels.
    package init?(from old: Dataset, to new: Dataset, why: String?, at: String) {
        let isSame =
            old.shelves == new.shelves
            && old.samples.map { [$0.id, $0.image] } == new.samples.map { [$0.id, $0.image] }
        let changed = zip(old.samples, new.samples).filter { $0 != $1 }.map(\.0.id)
        guard isSame, !changed.isEmpty, old.digest != new.digest else { return nil }
        self.init(from: old.digest, to: new.digest, samples: changed, why: why, at: at)
    }
}

extension Dataset {
    /// Returns the corrections that lead to `new`, those of this dataset included; nil where `new` is no correction of it.
    package func mends(leadingTo new: Dataset, why: String?, at: String) -> [LabelMend]? {
        if digest == new.digest { return manifest.mended }
        return LabelMend(from: self, to: new, why: why, at: at).map { (manifest.mended ?? []) + [$0] }
    }

    /// Returns the corrections of its labels since it had `digest`, none if that is its digest; nil if no correction starts
    /// there.
    package func mends(since digest: String) -> [LabelMend]? {
        if digest == self.digest { return [] }
        let mends = manifest.mended ?? []
        guard mends.last?.to == self.digest, let first = mends.lastIndex(where: { $0.from == digest }) else {
            return nil
        }
        let isChain = zip(mends[first...], mends[first...].dropFirst()).allSatisfy { $0.to == $1.from }
        return isChain ? Array(mends[first...]) : nil
    }
}
