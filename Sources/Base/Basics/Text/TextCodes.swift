/// Texts as numbers, one for each grapheme or each word, equal where those are canonically equivalent.
///
/// Dividing a text into graphemes costs far more than comparing it with another. Most lines need no dividing: in plain
/// ASCII each byte is a grapheme, and in most scripts each scalar is one (`LoneScalars`).
enum TextCodes {
    /// Hands two texts in `view` to `bytes` or to `codes`.
    @inline(__always)
    static func withCodes<Result>(
        of a: String,
        _ b: String,
        in view: TextView,
        bytes: (CodePair<UInt8>) -> Result,
        codes: (CodePair<UInt32>) -> Result
    ) -> Result {
        if view == .folded { return withOtherCodes(of: view.apply(to: a), view.apply(to: b), in: .raw, codes) }
        if let result = withTidyASCII(a, b, view, { a, b in bytes(CodePair(a, b, alphabet: 128)) }) { return result }
        return withOtherCodes(of: a, b, in: view, codes)
    }

    /// Hands two texts to `codes`: what is left when they are not plain ASCII.
    private static func withOtherCodes<Result>(
        of a: String,
        _ b: String,
        in view: TextView,
        _ codes: (CodePair<UInt32>) -> Result
    ) -> Result {
        let result = withLoneScalars(a, b, view) { a, b in
            CodePair.withCodes(of: a, b, hash: { UInt64($0) }, codes)
        }
        return result ?? CodePair.withCodes(of: Array(view.apply(to: a)), Array(view.apply(to: b)), codes)
    }

    /// Hands the words of two texts in `view` to `codes`.
    static func withWordCodes<Result>(
        of a: String,
        _ b: String,
        in view: TextView,
        _ codes: (CodePair<UInt32>) -> Result
    ) -> Result {
        if view == .folded { return withWordCodes(of: view.apply(to: a), view.apply(to: b), in: .nfc, codes) }
        // Words are the same with single spaces between them, whether or not the view would have made them so.
        if let result = withTidyASCII(a, b, .nfc, { a, b in withWords(of: a, b, codes) }) { return result }
        if let result = withLoneScalars(a, b, .nfc, { a, b in withWords(of: a, b, codes) }) { return result }
        func words(_ text: String) -> [Substring] { view.apply(to: text).split(whereSeparator: \.isWhitespace) }
        return CodePair.withCodes(of: words(a), words(b), codes)
    }

    /// Hands the words of two texts with single spaces to `codes`.
    private static func withWords<Unit: FixedWidthInteger & UnsignedInteger, Result>(
        of a: UnsafeBufferPointer<Unit>,
        _ b: UnsafeBufferPointer<Unit>,
        _ codes: (CodePair<UInt32>) -> Result
    ) -> Result {
        // A word takes two places at least, with the gap after it, but for the last one.
        let most = (a.count + 1) / 2 + (b.count + 1) / 2
        return withUnsafeTemporaryAllocation(of: UnitWord<Unit>.self, capacity: most) { words in
            let countOfA = UnitWord.divide(a, into: words)
            let countOfB = UnitWord.divide(b, into: UnsafeMutableBufferPointer(rebasing: words[countOfA...]))
            return CodePair.withCodes(
                of: UnsafeBufferPointer(rebasing: words[..<countOfA]),
                UnsafeBufferPointer(rebasing: words[countOfA..<(countOfA + countOfB)]),
                hash: { $0.hash },
                codes
            )
        }
    }

    /// Hands both texts to `body` when they are ASCII, each byte is a grapheme, and `view` leaves them as they are;
    /// otherwise nil.
    @inline(__always)
    private static func withTidyASCII<Result>(
        _ a: String,
        _ b: String,
        _ view: TextView,
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        let result = a.utf8.withContiguousStorageIfAvailable { a in
            PlainASCII.isPlain(a, in: view)
                ? b.utf8.withContiguousStorageIfAvailable { b in PlainASCII.isPlain(b, in: view) ? body(a, b) : nil }
                : nil
        }
        return result.flatMap { $0 }.flatMap { $0 }
    }

    /// Hands the scalars of both texts in `view` to `body` when each of them is a grapheme; otherwise nil.
    private static func withLoneScalars<Result>(
        _ a: String,
        _ b: String,
        _ view: TextView,
        _ body: (UnsafeBufferPointer<UInt32>, UnsafeBufferPointer<UInt32>) -> Result
    ) -> Result? {
        let (mostOfA, mostOfB) = (a.utf8.count, b.utf8.count)
        return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: mostOfA + mostOfB) { values in
            let (roomForA, roomForB) = (values[..<mostOfA], values[mostOfA...])
            guard
                let countOfA = LoneScalars.read(a, in: view, into: UnsafeMutableBufferPointer(rebasing: roomForA)),
                let countOfB = LoneScalars.read(b, in: view, into: UnsafeMutableBufferPointer(rebasing: roomForB))
            else { return nil }
            return body(
                UnsafeBufferPointer(rebasing: roomForA.prefix(countOfA)),
                UnsafeBufferPointer(rebasing: roomForB.prefix(countOfB))
            )
        }
    }
}

/// A word as a piece of a text in bytes or scalars, valid as long as that is.
struct UnitWord<Unit: FixedWidthInteger & UnsignedInteger>: Equatable {
    let units: UnsafeBufferPointer<Unit>
    /// FNV-1a over the units (Fowler, Noll and Vo; RFC 9923).
    let hash: UInt64

    static func == (a: UnitWord, b: UnitWord) -> Bool {
        a.hash == b.hash && a.units.elementsEqual(b.units)
    }

    /// Puts the words of `text`, which single spaces divide, into `words`; returns how many there are.
    static func divide(_ text: UnsafeBufferPointer<Unit>, into words: UnsafeMutableBufferPointer<UnitWord>) -> Int {
        var (count, start) = (0, 0)
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for end in 0...text.count {
            if end < text.count, text[end] != 0x20 {
                hash = (hash ^ UInt64(text[end])) &* 0x100_0000_01B3
            } else {
                if end > start {
                    let units = UnsafeBufferPointer(rebasing: text[start..<end])
                    words.initializeElement(at: count, to: UnitWord(units: units, hash: hash))
                    count += 1
                }
                start = end + 1
                hash = 0xCBF2_9CE4_8422_2325
            }
        }
        return count
    }
}

extension CodePair where Code == UInt32 {
    /// Hands `body` two sequences with a number for each element.
    static func withCodes<Element: Hashable, Result>(
        of a: [Element],
        _ b: [Element],
        _ body: (CodePair<UInt32>) -> Result
    ) -> Result {
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                withCodes(of: a, b, hash: { UInt64(truncatingIfNeeded: $0.hashValue) }, body)
            }
        }
    }

    /// Hands `body` two sequences with a number for each element between the ends that they share: comparing numbers costs
    /// less than comparing texts, and small ones take little room.
    ///
    /// The elements of `a` count from 1; what occurs in `b` alone is 0, as it matches nothing. Equal elements have equal
    /// hashes, of which the lower bits may be alike.
    @inline(__always)
    static func withCodes<Element: Equatable, Result>(
        of a: UnsafeBufferPointer<Element>,
        _ b: UnsafeBufferPointer<Element>,
        hash: (Element) -> UInt64,
        _ body: (CodePair<UInt32>) -> Result
    ) -> Result {
        let ends = SharedEnds(a, b)
        let (reference, hypothesis) = (ends.middle(of: a), ends.middle(of: b))
        // An open hash table, at most half full, of places in the reference counted from 1.
        let bits = max(4, UInt64(Int.bitWidth - (2 * reference.count).leadingZeroBitCount))
        let slots = 1 << Int(bits)
        return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: slots) { table in
            table.initialize(repeating: 0)
            func slot(of element: Element) -> Int {
                // Fibonacci hashing: Knuth, The Art of Computer Programming 3, section 6.4.
                var slot = Int((hash(element) &* 0x9E37_79B9_7F4A_7C15) &>> (64 - bits))
                while table[slot] != 0, reference[Int(table[slot]) - 1] != element { slot = (slot + 1) & (slots - 1) }
                return slot
            }
            let count = reference.count + hypothesis.count
            return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: count) { codes in
                // The number of an element is the first place where the reference has it.
                for (place, element) in reference.enumerated() {
                    let slot = slot(of: element)
                    if table[slot] == 0 { table[slot] = UInt32(place + 1) }
                    codes.initializeElement(at: place, to: table[slot])
                }
                for (place, element) in hypothesis.enumerated() {
                    codes.initializeElement(at: reference.count + place, to: table[slot(of: element)])
                }
                let whole = UnsafeBufferPointer(codes)
                return body(
                    CodePair(
                        ends,
                        reference: UnsafeBufferPointer(rebasing: whole[..<reference.count]),
                        hypothesis: UnsafeBufferPointer(rebasing: whole[reference.count...]),
                        alphabet: reference.count + 1
                    )
                )
            }
        }
    }
}
