/// Edit distance between sequences: the least number of substitutions, deletions and insertions that turn one into the
/// other, each at a cost of 1.
package enum Levenshtein {
    /// The distance between `a` and `b`, in 0…max(a.count, b.count).
    package static func distance<Element: Hashable>(_ a: [Element], _ b: [Element]) -> Int {
        EditMatrix(a, b).distance()
    }

    /// The distance between two sequences of bytes, in 0…max(a.count, b.count).
    ///
    /// For words, which the catalogue compares by the thousand: one of 64 bytes at most takes one word of bits.
    package static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        a.withUnsafeBufferPointer { a in b.withUnsafeBufferPointer { b in wordDistance(a, b) } }
            ?? EditMatrix(a, b).distance()
    }

    /// The distance where one of both has 64 bytes at most between the ends that they share; otherwise nil.
    private static func wordDistance(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int? {
        var (long, short) = a.count < b.count ? (b[...], a[...]) : (a[...], b[...])
        while let last = short.last, long.last == last { (long, short) = (long.dropLast(), short.dropLast()) }
        while let first = short.first, long.first == first { (long, short) = (long.dropFirst(), short.dropFirst()) }
        if short.isEmpty { return long.count }
        if short.count > 64 { return nil }
        // A table for ASCII alone is small enough to be on the stack.
        let isASCII = long.allSatisfy { $0 < 128 } && short.allSatisfy { $0 < 128 }
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: isASCII ? 128 : 256) { matches in
            // Clearing what is looked up takes less time than clearing all of it.
            for byte in long { matches[Int(byte)] = 0 }
            for byte in short { matches[Int(byte)] = 0 }
            for (place, byte) in short.enumerated() { matches[Int(byte)] |= 1 &<< UInt64(truncatingIfNeeded: place) }
            var column = ColumnDifferences()
            var distance = short.count
            let last = UInt64(short.count - 1)
            for byte in long { distance &+= column.advance(matches[Int(byte)], from: .top(), last: last).difference }
            return distance
        }
    }

    /// The distance between two texts in graphemes, both in `view`.
    package static func distance(_ a: String, _ b: String, view: TextView = .nfc) -> Int {
        EditMatrix(a, b, in: view).distance()
    }

    /// One cheapest way to turn `reference` into `hypothesis`, as runs in order that cover both.
    ///
    /// Of several ways it is the one that rapidfuzz takes, and jiwer with it: going back from the end, a deletion where
    /// there can be one, otherwise an insertion, and a substitution where there can be neither. (From 2²² pairs of elements
    /// on, two texts of 2,048 characters, rapidfuzz divides the texts first and may take another one.)
    package static func operations<Element: Hashable>(
        from reference: [Element],
        to hypothesis: [Element]
    ) -> [EditOperation] {
        EditMatrix(reference, hypothesis).operations()
    }
}

extension EditCounts {
    /// Character errors (CER) of `hypothesis` against `reference`, both in `view`.
    ///
    /// A character is a grapheme cluster, canonically equivalent ones being equal, so that "é" counts once however it
    /// is encoded.
    package static func ofCharacters(reference: String, hypothesis: String, view: TextView = .nfc) -> EditCounts {
        EditMatrix(reference, hypothesis, in: view).counts()
    }

    /// Word errors (WER) of `hypothesis` against `reference`, both in `view`; a word is what white space divides.
    package static func ofWords(reference: String, hypothesis: String, view: TextView = .nfc) -> EditCounts {
        func words(_ text: String) -> [Substring] { view.apply(to: text).split(whereSeparator: \.isWhitespace) }
        return EditMatrix(words(reference), words(hypothesis)).counts()
    }
}

/// A run of one kind in the way from a reference to a hypothesis.
package struct EditOperation: Sendable, Equatable, Codable {
    package enum Kind: String, Sendable, Codable {
        /// Both sides are the same.
        case equal
        /// Each element of the reference is replaced by one of the hypothesis; both runs are equally long.
        case substitute
        /// The hypothesis lacks the run; its range there is empty.
        case delete
        /// The reference lacks the run; its range there is empty.
        case insert
    }

    package var kind: Kind
    package var reference: Range<Int>
    package var hypothesis: Range<Int>

    /// Steps of one element each, in order, as runs.
    static func runs(of kinds: some Sequence<Kind>) -> [EditOperation] {
        var runs: [EditOperation] = []
        var (i, j) = (0, 0)
        for kind in kinds {
            if runs.last?.kind != kind { runs.append(EditOperation(kind: kind, reference: i..<i, hypothesis: j..<j)) }
            if kind != .insert { i += 1 }
            if kind != .delete { j += 1 }
            let last = runs.count - 1
            runs[last].reference = runs[last].reference.lowerBound..<i
            runs[last].hypothesis = runs[last].hypothesis.lowerBound..<j
        }
        return runs
    }
}

/// The edits between references and hypotheses, with the length they are a share of.
///
/// Counts of several samples add up, so that a pooled (micro) rate and a mean of rates (macro) can both be had.
package struct EditCounts: Sendable, Equatable, Codable {
    package var substitutions = 0
    /// Elements of the reference that the hypothesis lacks.
    package var deletions = 0
    /// Elements of the hypothesis that the reference lacks.
    package var insertions = 0
    package var referenceLength = 0

    package init(substitutions: Int = 0, deletions: Int = 0, insertions: Int = 0, referenceLength: Int = 0) {
        (self.substitutions, self.deletions) = (substitutions, deletions)
        (self.insertions, self.referenceLength) = (insertions, referenceLength)
    }

    package var errors: Int { substitutions + deletions + insertions }

    /// Errors as a share of the reference, 0 or more; above 1 when the hypothesis is much longer than the reference.
    ///
    /// Absent when the reference is empty.
    package var rate: Figure { .ratio(errors, referenceLength, orAbsent: "the reference is empty") }

    package static func + (a: EditCounts, b: EditCounts) -> EditCounts {
        EditCounts(
            substitutions: a.substitutions + b.substitutions,
            deletions: a.deletions + b.deletions,
            insertions: a.insertions + b.insertions,
            referenceLength: a.referenceLength + b.referenceLength
        )
    }
}

/// Similarity of two texts as wholes.
package enum TextSimilarity {
    /// One less the normalised edit distance (1-NED), the distance in graphemes as a share of the longer text: in 0…1, 1 for
    /// two empty texts.
    package static func normalized(_ a: String, _ b: String, view: TextView = .folded) -> Double {
        let matrix = EditMatrix(a, b, in: view)
        return matrix.longerCount == 0 ? 1 : 1 - Double(matrix.distance()) / Double(matrix.longerCount)
    }
}

/// Finds what somebody probably meant.
package enum NearName {
    /// The name that takes the fewest edits to get from `name`; nil when the nearest is further off than a slip is.
    ///
    /// Half of the letters, but three at most: two letters that changed places are two edits. Case does not count; of
    /// equals the first in order is taken.
    package static func of(_ name: String, among names: [String]) -> String? {
        let wanted = Array(name.lowercased())
        let nearest = names.map { (name: $0, distance: Levenshtein.distance(wanted, Array($0.lowercased()))) }
            .min { $0.distance < $1.distance }
        return nearest.flatMap { $0.distance <= max(1, min(3, wanted.count / 2)) ? $0.name : nil }
    }

    /// `did you mean "threads"?`, or every name when none is near.
    package static func hint(for name: String, among names: [String]) -> String {
        if let near = of(name, among: names) { return "did you mean \"\(near)\"?" }
        return names.isEmpty ? "there are none" : "there are " + names.joined(separator: ", ")
    }
}
