import Foundation
package import Imaging

/// The features of a frame that indicate a spine.
package struct GateEvidence: Sendable, Equatable {
    /// Input of the model: the logarithms of one more than each figure.
    package let features: [Float]

    package static let names = [
        "strokes of the strongest cell", "second edge of the strongest strip", "strokes of the 40th cell at half size",
        "longest run of cells with strokes at half size", "clear edges across", "strongest edge in all strips but one",
        "edges along", "longest run of cells with strokes",
    ]

    package init(of frame: RasterImage) {
        let fine = SampledLuma(of: frame)
        let half = fine.halved()
        let (strokes, large) = (StrokeMap(of: fine), StrokeMap(of: half))
        let edges = EdgeStrips(of: half)
        // The book's orientation is unknown: along is the direction with the stronger sides.
        let isUpright = edges.upright.sides >= edges.level.sides
        let (along, across) = isUpright ? (edges.upright, edges.level) : (edges.level, edges.upright)
        features = [
            strokes.strongest(1), along.second.max() ?? 0, large.strongest(40), Float(large.longestRun),
            Float(across.count(above: 20)), along.first.sorted(by: >).dropFirst().first ?? 0,
            Float(along.count(above: 10)), Float(strokes.longestRun),
        ].map { log1p($0) }
    }
}

extension StrokeMap {
    /// Returns the value of the `rank`-th strongest cell, from 1; 0 without one.
    fileprivate func strongest(_ rank: Int) -> Float {
        guard rank > 1 else { return strength.max() ?? 0 }
        // Counted instead of sorted: strengths are less than 256, and a quarter of a grey level will do.
        var counts = [Int](repeating: 0, count: 1024)
        for value in strength { counts[min(1023, Int(value * 4))] += 1 }
        var left = rank
        for level in counts.indices.reversed() {
            left -= counts[level]
            if left <= 0 { return Float(level) / 4 }
        }
        return 0
    }

    /// Longest run of cells with letters, in a row or in a column; a gap of one cell does not end it.
    fileprivate var longestRun: Int {
        var longest = 0
        func walk(_ count: Int, from start: Int, by stride: Int) {
            var (run, gap) = (0, 0)
            for step in 0..<count {
                if strength[start + step * stride] > 3 {
                    run += 1
                    gap = 0
                    longest = max(longest, run)
                } else {
                    gap += 1
                    if gap > 1 { run = 0 }
                }
            }
        }
        for row in 0..<rows { walk(columns, from: row * columns, by: 1) }
        for column in 0..<columns { walk(rows, from: column, by: columns) }
        return longest
    }
}

extension [[Float]] {
    fileprivate var first: [Float] { map { $0.first ?? 0 } }
    /// The second strongest: a book has two sides.
    fileprivate var second: [Float] { map { $0.count > 1 ? $0[1] : 0 } }
    fileprivate var sides: Float { second.reduce(0, +) }
    fileprivate func count(above step: Float) -> Int { joined().count { $0 > step } }
}
