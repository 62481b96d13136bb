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
