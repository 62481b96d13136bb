/// Edit distance between sequences: the least number of substitutions, deletions and insertions that turn one into the
/// other, each at a cost of 1.
package enum Levenshtein {
    /// The distance between `a` and `b`, in 0…max(a.count, b.count).
    package static func distance<Element: Hashable>(_ a: [Element], _ b: [Element]) -> Int {
        CodePair.withCodes(of: a, b) { $0.distance() }
    }

    /// The distance between two sequences of bytes, in 0…max(a.count, b.count).
    package static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                // A table for ASCII alone is small enough to lie on the stack.
                let isASCII = a.allSatisfy { $0 < 128 } && b.allSatisfy { $0 < 128 }
                return CodePair(a, b, alphabet: isASCII ? 128 : 256).distance()
            }
        }
    }

    /// The distance between two texts in graphemes, both in `view`.
    package static func distance(_ a: String, _ b: String, view: TextView = .nfc) -> Int {
        TextCodes.withCodes(of: a, b, in: view, bytes: { $0.distance() }, codes: { $0.distance() })
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
        CodePair.withCodes(of: reference, hypothesis) { $0.operations() }
    }
}

extension EditCounts {
    /// Character errors (CER) of `hypothesis` against `reference`, both in `view`.
    ///
    /// A character is a grapheme cluster, canonically equivalent ones being equal, so that "é" counts once however it
    /// is encoded.
    package static func ofCharacters(reference: String, hypothesis: String, view: TextView = .nfc) -> EditCounts {
        TextCodes.withCodes(of: reference, hypothesis, in: view, bytes: { $0.counts() }, codes: { $0.counts() })
    }

    /// Word errors (WER) of `hypothesis` against `reference`, both in `view`; a word is what white space divides.
    package static func ofWords(reference: String, hypothesis: String, view: TextView = .nfc) -> EditCounts {
        TextCodes.withWordCodes(of: reference, hypothesis, in: view) { $0.counts() }
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
        self.substitutions = substitutions
        self.deletions = deletions
        self.insertions = insertions
        self.referenceLength = referenceLength
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

extension CodePair {
    /// The edits of one cheapest way, by kind.
    func counts() -> EditCounts {
        var counts = EditCounts(referenceLength: referenceCount)
        trace { kind, _, _ in
            switch kind {
            case .substitute: counts.substitutions &+= 1
            case .delete: counts.deletions &+= 1
            case .insert: counts.insertions &+= 1
            case .equal: break
            }
        }
        return counts
    }

    /// One cheapest way as runs, in order, that cover both sequences.
    func operations() -> [EditOperation] {
        var edits: [(kind: EditOperation.Kind, i: Int, j: Int)] = []
        trace { edits.append(($0, $1, $2)) }
        var runs: [EditOperation] = []
        var (i, j) = (0, 0)
        func add(_ kind: EditOperation.Kind, to end: (i: Int, j: Int)) {
            if runs.last?.kind == kind {
                runs[runs.count - 1].reference = runs[runs.count - 1].reference.lowerBound..<end.i
                runs[runs.count - 1].hypothesis = runs[runs.count - 1].hypothesis.lowerBound..<end.j
            } else {
                runs.append(EditOperation(kind: kind, reference: i..<end.i, hypothesis: j..<end.j))
            }
            (i, j) = end
        }
        for edit in edits.reversed() {
            if edit.i > i { add(.equal, to: (edit.i, edit.j)) }
            add(edit.kind, to: (edit.kind == .insert ? i : i + 1, edit.kind == .delete ? j : j + 1))
        }
        if i < referenceCount { add(.equal, to: (referenceCount, hypothesisCount)) }
        return runs
    }
}

/// Similarity of two texts as wholes.
package enum TextSimilarity {
    /// One less the normalised edit distance (1-NED), the distance in graphemes as a share of the longer text: in 0…1, 1 for
    /// two empty texts.
    package static func normalized(_ a: String, _ b: String, view: TextView = .folded) -> Double {
        TextCodes.withCodes(of: a, b, in: view, bytes: similarity, codes: similarity)
    }

    private static func similarity<Code>(of pair: CodePair<Code>) -> Double {
        let longest = max(pair.referenceCount, pair.hypothesisCount)
        return longest == 0 ? 1 : 1 - Double(pair.distance()) / Double(longest)
    }
}
