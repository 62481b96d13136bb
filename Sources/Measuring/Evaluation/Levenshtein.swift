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

    /// The edits of one cheapest way to turn `reference` into `hypothesis`.
    ///
    /// Their sum is the distance; how they divide among the kinds is not unique: see `operations`.
    package static func edits<Element: Hashable>(from reference: [Element], to hypothesis: [Element]) -> EditCounts {
        CodePair.withCodes(of: reference, hypothesis) { $0.counts() }
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
