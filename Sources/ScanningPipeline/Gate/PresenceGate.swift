package import Raster

/// Tells whether there is a book's spine in a frame, so that the reader need not be asked when there is none.
public struct PresenceGate: Sendable, Equatable {
    public init() {}

    package static func features(_ frame: RasterImage) -> [Float] {
        let fine = SampledLuma(of: frame)
        let half = fine.halved()
        let a = StrokeMap(of: fine)
        let b = StrokeMap(of: half)
        let e = EdgeStrips(of: half)
        var out: [Float] = []
        for m in [a, b] {
            let n = Float(max(1, m.strength.count))
            for t in [1.5, 3, 5, 8] as [Float] { out.append(Float(m.strength.count { $0 > t }) / n) }
            for t in [3, 8] as [Float] { out.append(Float(m.coarse.count { $0 > t }) / n) }
            let s = m.strength.sorted(by: >)
            for k in [1, 4, 12, 40] { out.append(s.count >= k ? s[k - 1] : 0) }
            // longest run (rows or columns, one gap) at 3
            var longest = 0
            func runs(_ outer: Int, _ inner: Int, _ at: (Int, Int) -> Int) {
                for o in 0..<outer {
                    var run = 0, gap = 0
                    for i in 0..<inner {
                        if m.strength[at(o, i)] > 3 { run += 1; gap = 0; longest = max(longest, run) } else {
                            gap += 1
                            if gap > 1 { run = 0 }
                        }
                    }
                }
            }
            runs(m.rows, m.columns) { $0 * m.columns + $1 }
            runs(m.columns, m.rows) { $1 * m.columns + $0 }
            out.append(Float(longest))
        }
        for side in [e.upright, e.level] {
            let seconds = side.map { $0.count > 1 ? $0[1] : 0 }.sorted(by: >)
            let firsts = side.map { $0.first ?? 0 }.sorted(by: >)
            out += firsts + seconds
            out.append(Float(side.joined().count { $0 > 10 }))
            out.append(Float(side.joined().count { $0 > 20 }))
        }
        return out
    }
}
