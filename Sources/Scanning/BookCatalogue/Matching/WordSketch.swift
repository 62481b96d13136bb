import Foundation

/// About how many books have a word, in two bytes' worth of memory a word: a count-min sketch of logarithms.
///
/// A word is never said to be rarer than it is; one word in fifteen that no book has is taken for a rare one.
/// Source: Cormode and Muthukrishnan, An improved data stream summary: the count-min sketch and its applications (2005).
struct WordSketch: Sendable {
    private let levels: [UInt8]
    /// Levels are eighths of a factor of two; 0 is "none".
    private static let levelsPerBit = 8.0

    init(_ counts: WordCounts) {
        var size = 64
        while size < counts.words * 4 { size *= 2 }
        var levels = [UInt8](repeating: 0, count: size)
        for (hash, count) in counts.all {
            let level = UInt8(min(255, 1 + (log2(Double(count)) * Self.levelsPerBit).rounded()))
            let (first, second) = Self.slots(hash, size)
            levels[first] = max(levels[first], level)
            levels[second] = max(levels[second], level)
        }
        self.levels = levels
    }

    /// A sketch as it was stored; nil when that is none.
    init?(_ data: Data) {
        guard data.count >= 64, data.count & (data.count - 1) == 0 else { return nil }
        levels = Array(data)
    }

    /// To be stored.
    var data: Data { Data(levels) }

    /// About how many books have the word; 0 when none has.
    func count(_ hash: UInt64) -> Double {
        let (first, second) = Self.slots(hash, levels.count)
        let level = min(levels[first], levels[second])
        return level == 0 ? 0 : exp2(Double(level - 1) / Self.levelsPerBit)
    }

    private static func slots(_ hash: UInt64, _ size: Int) -> (Int, Int) {
        (Int(truncatingIfNeeded: hash) & (size - 1), Int(truncatingIfNeeded: hash >> 32) & (size - 1))
    }
}
