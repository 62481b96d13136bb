/// The numbers with the highest scores out of many.
struct TopList {
    private let count: Int
    private var entries: [(score: Float, number: Int)] = []
    private var threshold = -Float.infinity

    init(count: Int) {
        self.count = count
        entries.reserveCapacity(count * 4)
    }

    @inline(__always)
    mutating func add(_ number: Int, _ score: Float) {
        guard score > threshold else { return }
        entries.append((score, number))
        if entries.count == count * 4 { shrink() }
    }

    /// Of the highest scores, highest first; the lower number first where scores are equal.
    var numbers: [Int] {
        entries.sorted { ($1.score, $0.number) < ($0.score, $1.number) }.prefix(count).map(\.number)
    }

    private mutating func shrink() {
        entries.sort { ($1.score, $0.number) < ($0.score, $1.number) }
        entries.removeLast(entries.count - count)
        threshold = entries[count - 1].score
    }
}
