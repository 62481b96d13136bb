/// The most words of a field that can be found in the pieces of a reading, by trying every use of its letters in every order.
///
/// Written from the rule in `FieldRead`'s documentation, without its search: uses are made one after the other, and pieces
/// that a use leaves beside each other are neighbours.
struct EveryAssignment {
    /// A piece, or what is left of one; `size` is the number of letters of the whole.
    private struct Piece: Hashable {
        var text: [UInt8]
        var size: Int
    }

    private struct State: Hashable {
        var pieces: [Piece]
        var missing: [[UInt8]: Int]
    }

    private let words: [[UInt8]]
    private var known: [State: Int] = [:]

    init(_ words: [[UInt8]]) { self.words = words }

    mutating func most(in pieces: [[UInt8]]) -> Int {
        let missing = Dictionary(words.map { ($0, 1) }, uniquingKeysWith: +)
        return words.count - least(State(pieces: pieces.map { Piece(text: $0, size: $0.count) }, missing: missing))
    }

    private mutating func least(_ state: State) -> Int {
        var best = state.missing.values.reduce(0, +)
        if best == 0 || state.pieces.isEmpty { return best }
        if let known = known[state] { return known }
        for first in words.indices {
            for last in first..<words.count {
                let run = Array(words[first...last])
                var next = state
                for word in run { next.missing[word] = max(0, (next.missing[word] ?? 0) - 1) }
                for pieces in Self.uses(of: run, in: state.pieces) {
                    next.pieces = pieces
                    best = min(best, least(next))
                }
            }
        }
        known[state] = best
        return best
    }

    /// The pieces after each use for words that follow each other.
    private static func uses(of run: [[UInt8]], in pieces: [Piece]) -> [[Piece]] {
        let text = Array(run.joined())
        var uses: [[Piece]] = []
        for start in pieces.indices {
            for end in start + 1..<min(start + 3, pieces.count) + 1 {
                let joined = Array(pieces[start..<end].flatMap(\.text))
                // Words are told apart in one piece, or have the letters of several.
                guard run.count == 1 || end == start + 1 || joined == text, divides(joined, run[...]) else { continue }
                uses.append(Array(pieces[..<start] + pieces[end...]))
            }
            let piece = pieces[start]
            guard piece.text.count > text.count,
                run.count > 1 ? text.count >= 5 : text.count >= 4 || text.count == 3 && piece.size >= 6
            else { continue }
            for place in 0...piece.text.count - text.count {
                let (before, after) = (piece.text[..<place], piece.text[(place + text.count)...])
                guard Array(piece.text[place..<place + text.count]) == text,
                    text.count > 3 || before.isEmpty || after.isEmpty
                else { continue }
                let rests = [before, after].filter { !$0.isEmpty }.map { Piece(text: Array($0), size: piece.size) }
                uses.append(Array(pieces[..<start]) + rests + Array(pieces[(start + 1)...]))
            }
        }
        return uses
    }

    private static func divides(_ text: [UInt8], _ run: ArraySlice<[UInt8]>) -> Bool {
        guard let word = run.first else { return text.isEmpty }
        return (0..<text.count).contains { last in
            let part = Array(text[...last])
            let longest = Double(max(word.count, part.count))
            // Each letter more or less is an edit.
            guard 1 - Double(abs(word.count - part.count)) / longest >= 0.8 else { return false }
            let similarity = 1 - Double(Self.distance(word, part)) / longest
            return similarity >= 0.8 && divides(Array(text[(last + 1)...]), run.dropFirst())
        }
    }

    /// Returns the edit distance, by the rows of Wagner and Fischer (1974).
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var corner = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                (corner, row[j + 1]) = (row[j + 1], min(corner + (x == y ? 0 : 1), min(row[j], row[j + 1]) + 1))
            }
        }
        return row[b.count]
    }
}
