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
