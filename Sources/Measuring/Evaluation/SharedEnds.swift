/// How many elements two sequences share at their beginning and at their end: no cheapest way has to touch those.
struct SharedEnds {
    let prefix: Int
    let suffix: Int

    init<Element: Equatable>(_ a: UnsafeBufferPointer<Element>, _ b: UnsafeBufferPointer<Element>) {
        let shorter = min(a.count, b.count)
        var start = 0
        while start < shorter, a[start] == b[start] { start += 1 }
        var end = 0
        while end < shorter - start, a[a.count - 1 - end] == b[b.count - 1 - end] { end += 1 }
        prefix = start
        suffix = end
    }

    /// What is between them in one of the two.
    func middle<Element>(of whole: UnsafeBufferPointer<Element>) -> UnsafeBufferPointer<Element> {
        UnsafeBufferPointer(rebasing: whole[prefix..<(whole.count - suffix)])
    }
}
