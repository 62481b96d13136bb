/// Finds pictures of a dataset that show the same.
enum SamePictures {
    /// A picture, where it is named, and for what.
    struct Entry: Sendable {
        var line: Int
        var image: String
        var split: String?
        var digest: String?
        var fingerprint: PictureFingerprint?
    }

    /// A picture that shows what an earlier one does.
    struct Finding: Sendable, Equatable {
        var line: Int
        var message: String
        /// Whether they are in two splits.
        var isLeak: Bool
    }

    /// One finding for each picture that has an earlier one like it; the one in another split goes before.
    static func find(in entries: [Entry]) -> [Finding] {
        var earlier: [String: [Int]] = [:]
        var originals: [Int] = []
        var twin = [(of: Int, isSame: Bool)?](repeating: nil, count: entries.count)
        for (index, entry) in entries.enumerated() {
            guard let digest = entry.digest else { continue }
            let known = earlier[digest] ?? []
            if let match = known.first(where: { isLeak(entries[$0], entry) }) ?? known.first {
                twin[index] = (match, true)
            } else {
                originals.append(index)
            }
            // One of each split is enough to find any leak.
            if !known.contains(where: { entries[$0].split == entry.split }) {
                earlier[digest, default: []].append(index)
            }
        }
        let looked = originals.compactMap { index in entries[index].fingerprint.map { (index, $0) } }
        let matches = Parallel.map(looked.count) { index -> Int? in
            let (entry, fingerprint) = looked[index]
            var first: Int?
            for (other, otherFingerprint) in looked[..<index] where fingerprint.isNear(otherFingerprint) {
                if isLeak(entries[other], entries[entry]) { return other }
                first = first ?? other
            }
            return first
        }
        for ((index, _), match) in zip(looked, matches) { if let match { twin[index] = (match, false) } }
        return entries.indices.compactMap { index in
            twin[index].map { finding(entries[index], like: entries[$0.of], isSame: $0.isSame) }
        }
    }

    private static func isLeak(_ a: Entry, _ b: Entry) -> Bool {
        a.split != nil && b.split != nil && a.split != b.split
    }

    private static func finding(_ entry: Entry, like other: Entry, isSame: Bool) -> Finding {
        let isLeak = isLeak(entry, other)
        let likeness =
            entry.image == other.image
            ? "is that of" : isSame ? "has the same bytes as \"\(other.image)\" of" : "looks like \"\(other.image)\" of"
        let splits = isLeak ? ", across splits \(other.split ?? "") and \(entry.split ?? "")" : ""
        return Finding(
            line: entry.line,
            message: "image \"\(entry.image)\" \(likeness) line \(other.line)\(splits)",
            isLeak: isLeak
        )
    }
}
