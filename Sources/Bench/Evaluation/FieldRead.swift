import Basics

/// Version of the rule by which ``FieldRead`` finds words: figures of two versions are not compared.
package enum ScoringRule {
    /// The assignment that finds the most words; by rule 1, each word in turn took the first pieces that fit.
    package static let current = 2
}

/// Share of a printed field (a title, an author) that was read, independent of other read text.
///
/// Words of the field are searched in the *pieces* of the prediction, which spaces divide. Each letter is used once, for
/// one of two:
/// * Words as they are, with more letters of their piece around them: one word of 4 letters or more, or of 3 at an end of a
///   piece of 6 or more, or several that follow each other in the field, of 5 or more together. What they leave of the
///   piece is a piece in turn.
/// * One to three neighbouring pieces. Together they are one word at a normalised edit similarity of 0.8 or more; or several
///   words that follow each other in the field: one piece consists of parts each of which is like its word, of two or three
///   the letters are the words' own. Other words of the field may be between the pieces.
///
/// Of all assignments, the one that finds the most words counts. (Of longer fields, each 64 words are searched alone.)
package struct FieldRead: Sendable, Equatable, Codable {
    /// Words of the field that were found.
    package var found: Int
    package var total: Int

    /// Whether every word was found; nil when the field has no letters and no digits.
    package var isRead: Bool? { total == 0 ? nil : found == total }

    /// Finds the words of `field` in `prediction`, both folded.
    package init(field: String, in prediction: String) {
        total = FoldedText(field).words.count
        found = total - Self.missing(of: field, in: prediction).count
    }

    /// Returns the folded words of `field` that `prediction` lacks, in their order.
    package static func missing(of field: String, in prediction: String) -> [String] {
        let (words, pieces) = (FoldedText(field).words, FoldedText(prediction).words)
        // In a good reading, words are pieces of their own.
        var left = pieces
        let areAll = words.allSatisfy { word in left.firstIndex(of: word).map { left.remove(at: $0) } != nil }
        if areAll { return [] }
        return stride(from: 0, to: words.count, by: 64).flatMap { start in
            FieldSearch(words[start..<min(start + 64, words.count)], in: pieces).missing()
        }.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The search for the most words of a field in the pieces of a prediction.
///
/// It goes through the letters once, and keeps at each place the sets of words that may have been found so far; a set
/// within another one is dropped.
private struct FieldSearch {
    typealias Letters = ArraySlice<UInt8>
    /// Words as they are in a piece, up to a place; 3 letters in its middle need others behind them.
    typealias Inner = (end: Int, words: Range<Int>, needsNext: Bool)

    /// One way to use the letters up to a place.
    struct State {
        /// Words found, as bits; of equal ones the first is found first.
        var found: UInt64 = 0
        /// First one or two pieces of words that other words divide, the inner ones last: until they go on, no letter is
        /// left unused.
        var parts: [Part] = []
        /// Whether words as they are have to be here.
        var needsNext = false

        struct Part: Equatable {
            var text: [UInt8]
            var pieces: Int
        }

        func covers(_ other: State) -> Bool {
            other.found & ~found == 0 && needsNext == other.needsNext && parts == other.parts
        }
    }

    private let words: [[UInt8]]
    /// Of each word: its letters, and the words that equal it.
    private let wordLetters: [UInt64]
    private let copies: [UInt64]
    /// Of each word, the letters that a text of it and the words after it can have.
    private let room: [Int]
    private let letters: [UInt8]
    /// Places of the letters where pieces begin, and their end.
    private let bounds: [Int]
    private var pieces: Range<Int> { 0..<bounds.count - 1 }

    init(_ words: ArraySlice<Letters>, in pieces: [Letters]) {
        self.words = words.map { Array($0) }
        wordLetters = words.map { Self.bits(of: $0) }
        copies = words.map { word in
            words.enumerated().reduce(0) { $1.element == word ? $0 | 1 << UInt64($1.offset) : $0 }
        }
        room = words.indices.map { words[$0...].reduce(0) { $0 + $1.count + $1.count / 4 } }
        letters = Array(pieces.joined())
        bounds = pieces.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    }

    /// Returns the words that are not found.
    func missing() -> [[UInt8]] {
        let inner = inner()
        let runs = pieces.map { first in
            (first..<min(first + 3, pieces.upperBound)).map { self.runs(of: text(first...$0), inOne: $0 == first) }
        }
        let isDivided = divided(
            runs,
            hasInner: pieces.map { piece in
                (bounds[piece]..<bounds[piece + 1]).contains { !inner[$0].isEmpty }
            }
        )
        // Places where a piece ends, or what words leave of it.
        let stops = pieces.map { piece in
            (bounds[piece] + 1..<bounds[piece + 1]).filter { !inner[$0].isEmpty } + [bounds[piece + 1]]
        }
        var states = [[State]](repeating: [], count: letters.count + 1)
        states[0] = [State()]
        // Texts take some hundred steps. Of those that are made to take many, the rest is searched for whole words alone.
        var steps = 0
        func use(_ word: Inner, _ state: State, isAtEnd: Bool) {
            var next = adding(word.words, to: state)
            next.needsNext = word.needsNext && !isAtEnd
            states[word.end].append(next)
        }
        for piece in pieces {
            for place in bounds[piece]..<bounds[piece + 1] where !states[place].isEmpty {
                let isShort = steps < 20_000
                let own = best(states[place], most: isShort ? 64 : 1)
                states[place] = []
                if place == bounds[piece], missing(own[0]) == 0 { return [] }
                for word in inner[place] where isShort {
                    for state in own { use(word, state, isAtEnd: !state.needsNext) }
                }
                for last in piece..<min(piece + 3, pieces.upperBound) {
                    for stop in stops[last] where stop > place && (isShort || stop == bounds[last + 1]) {
                        let isWhole = place == bounds[piece] && stop == bounds[last + 1]
                        let runs =
                            isWhole
                            ? runs[piece][last - piece] : self.runs(of: letters[place..<stop], inOne: last == piece)
                        var next: [State] = []
                        for state in own where !state.needsNext {
                            if last == piece && state.parts.isEmpty { next.append(state) }
                            for run in runs { next.append(adding(run, to: state)) }
                            if isShort && isDivided[piece] || !state.parts.isEmpty {
                                next += parted(state, letters[place..<stop], last - piece + 1, isDivided[piece])
                            }
                        }
                        steps += 1 + next.count
                        if stop == bounds[last + 1] {
                            states[stop] += next
                        } else {
                            for word in inner[stop] { for state in next { use(word, state, isAtEnd: false) } }
                        }
                    }
                }
            }
        }
        let missing = missing(best(states[letters.count], most: 1)[0])
        return words.indices.filter { missing & 1 << UInt64($0) != 0 }.map { words[$0] }
    }

    /// Returns the states after pieces that go on words of which a part has been read, or are such a part.
    private func parted(_ state: State, _ text: Letters, _ pieces: Int, _ mayBegin: Bool) -> [State] {
        var states: [State] = []
        func begin(_ text: [UInt8], _ pieces: Int, in state: State) {
            let sought = state.parts.isEmpty ? missing(state) : .max
            guard pieces < 3, isBeginning(text[...], of: sought) else { return }
            states.append(state)
            states[states.count - 1].parts.append(.init(text: text, pieces: pieces))
        }
        if let part = state.parts.last, part.pieces + pieces <= 3 {
            var outer = state
            outer.parts.removeLast()
            states = runs(of: (part.text + text)[...], inOne: false).map { adding($0, to: outer) }
            begin(part.text + text, part.pieces + pieces, in: outer)
        }
        if mayBegin { begin(Array(text), pieces, in: state) }
        return states
    }

    private func missing(_ state: State) -> UInt64 { (1 << UInt64(words.count) &- 1) & ~state.found }

    private func adding(_ run: Range<Int>, to state: State) -> State {
        var state = state
        for word in run {
            let free = copies[word] & ~state.found
            state.found |= free & (~free &+ 1)
        }
        return state
    }

    /// Returns the states that no other one covers: first those without parts, and of these those with the most words.
    private func best(_ states: [State], most: Int) -> [State] {
        if states.count < 2 { return states }
        func rank(_ state: State) -> Int { state.found.nonzeroBitCount - (state.parts.isEmpty ? 0 : 65) }
        let order = states.indices.sorted { (rank(states[$1]), $0) < (rank(states[$0]), $1) }
        var kept: [State] = []
        for index in order where !kept.contains(where: { $0.covers(states[index]) }) {
            kept.append(states[index])
            if kept.count == most { break }
        }
        return kept
    }

    private func text(_ pieces: ClosedRange<Int>) -> Letters {
        letters[bounds[pieces.lowerBound]..<bounds[pieces.upperBound + 1]]
    }

    /// Letters of a text as bits: each one that another text lacks is at least one edit.
    private static func bits(of text: Letters) -> UInt64 {
        text.reduce(0) { $0 | 1 << UInt64($1 & 63) }
    }

    /// Returns the words that follow each other in the field of which a text consists, which is `inOne` piece or in several.
    private func runs(of text: Letters, inOne: Bool) -> [Range<Int>] {
        let known = Self.bits(of: text)
        var runs: [Range<Int>] = []
        for first in words.indices
        where text.count <= room[first] && (wordLetters[first] & ~known).nonzeroBitCount <= words[first].count / 4 {
            var (ends, next) = ([text.startIndex], first)
            while !ends.isEmpty, next < words.count {
                ends = self.ends(of: next, in: text, from: ends)
                next += 1
                guard ends.contains(text.endIndex) else { continue }
                if inOne || next == first + 1 || text.elementsEqual(words[first..<next].joined()) {
                    runs.append(first..<next)
                }
            }
        }
        return runs
    }

    /// Returns the places where a word can end in a text if it begins at one of `starts`.
    private func ends(of word: Int, in text: Letters, from starts: [Int]) -> [Int] {
        let count = words[word].count
        var ends: [Int] = []
        for start in starts {
            // Texts of other lengths are not like it.
            for end in start + count - count / 5..<start + count + count / 4 + 1
            where end <= text.endIndex && !ends.contains(end) {
                let (part, longest) = (text[start..<end], max(count, end - start))
                guard (wordLetters[word] & ~Self.bits(of: part)).nonzeroBitCount * 5 <= longest else { continue }
                if part == words[word][...] || Levenshtein.distance(words[word], Array(part)) * 5 <= longest {
                    ends.append(end)
                }
            }
        }
        return ends
    }

    /// Whether a text, and more after it, may be words that follow each other in the field, some of them `sought`.
    private func isBeginning(_ text: Letters, of sought: UInt64 = .max) -> Bool {
        let own = Self.bits(of: text)
        return words.indices.contains { first in
            if sought >> UInt64(first) == 0 || room[first] <= text.count { return false }
            var (room, edits, known, next) = (0, 0, 0 as UInt64, first)
            while room <= text.count, next < words.count {
                edits += words[next].count / 4
                room += words[next].count + words[next].count / 4
                known |= wordLetters[next]
                next += 1
            }
            return room > text.count && (own & ~known).nonzeroBitCount <= edits
        }
    }

    /// Returns, by piece, whether words may begin with it that other words divide, eight pieces at most.
    private func divided(_ runs: [[[Range<Int>]]], hasInner: [Bool]) -> [Bool] {
        var (isUsed, isDivided) = (hasInner, hasInner)
        for first in pieces {
            for (last, runs) in zip(first..., runs[first]) where !runs.isEmpty {
                for piece in first...last { isUsed[piece] = true }
            }
        }
        var tries = 0
        /// Whether a text of `count` pieces, the last of them at `last`, continues after other words.
        func goesOn(_ text: [UInt8], _ count: Int, after last: Int, isDivided: Bool) -> Bool {
            guard count < 3, last + 1 < pieces.upperBound,
                isDivided || isUsed.dropFirst(last + 1).prefix(3 - count).contains(true),
                isBeginning(text[...])
            else { return false }
            var found = false
            tries += 1
            for next in last + 1..<min(last + 10, pieces.upperBound) where tries < 20_000 {
                let (longer, isDivided) = (text + self.text(next...next), isDivided || next > last + 1)
                let isEnd = isDivided && !self.runs(of: longer[...], inOne: false).isEmpty
                if isEnd || goesOn(longer, count + 1, after: next, isDivided: isDivided) {
                    (isUsed[next], found) = (true, true)
                }
                found = found || hasInner[next]
                if !isUsed[next] { break }
            }
            return found
        }
        var isChanged = true
        while isChanged {
            isChanged = false
            for piece in pieces where !isDivided[piece] {
                guard goesOn(Array(text(piece...piece)), 1, after: piece, isDivided: false) else { continue }
                (isUsed[piece], isDivided[piece], isChanged) = (true, true, true)
            }
        }
        return isDivided
    }

    /// Returns the words as they are in pieces, by their first letter's place.
    private func inner() -> [[Inner]] {
        var inner = [[Inner]](repeating: [], count: letters.count + 1)
        for (start, end) in zip(bounds, bounds.dropFirst()) where end - start >= 5 {
            let piece = letters[start..<end]
            let known = Self.bits(of: piece)
            for first in words.indices where wordLetters[first] & ~known == 0 {
                var text: [UInt8] = []
                for last in first..<words.count {
                    text += words[last]
                    if text.count >= piece.count || wordLetters[last] & ~known != 0 { break }
                    let least = last > first ? 5 : piece.count < 6 ? 4 : 3
                    guard text.count >= least else { continue }
                    let places = (start...end - text.count).lazy.filter { piece[$0...].starts(with: text) }
                    for place in places.prefix(8) {
                        let stop = place + text.count
                        inner[place].append((stop, first..<last + 1, needsNext: text.count == 3 && stop < end))
                    }
                }
            }
        }
        return inner
    }
}
