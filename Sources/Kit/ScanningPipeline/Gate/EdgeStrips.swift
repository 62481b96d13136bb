/// Long straight edges of a picture: the sides of a book.
///
/// The picture is cut into strips across the edges' direction. In each strip the steps in brightness are added up along
/// slanted lines, with their sign: an edge adds up, letters and texture cancel out.
struct EdgeStrips {
    /// Mean steps of upright edges, in grey levels, of the strongest lines of each strip, strongest first; likewise
    /// of level edges.
    let upright: [[Float]]
    let level: [[Float]]

    static let strips = 4
    /// Lean of an edge in columns in one strip, to either side: 0, 3 and 6 pixels of 45 are up to 8°.
    private static let leans = [-6, -3, 0, 3, 6]

    init(of picture: SampledLuma) {
        upright = Self.peaks(picture.values, width: picture.width, height: picture.height)
        var turned = [UInt8](repeating: 0, count: picture.values.count)
        let (width, height) = (picture.width, picture.height)
        turned.withUnsafeMutableBufferPointer { target in
            picture.values.withUnsafeBufferPointer { source in
                for y in 0..<height {
                    for x in 0..<width { target[x * height + y] = source[y * width + x] }
                }
            }
        }
        level = Self.peaks(turned, width: height, height: width)
    }

    /// Returns the strongest lines of each strip that are at least 4 pixels apart, 6 at most.
    private static func peaks(_ values: [UInt8], width: Int, height: Int) -> [[Float]] {
        let rows = height / strips
        guard rows >= 8, width >= 32 else { return Array(repeating: [], count: strips) }
        let margin = 6
        var sums = [Int16](repeating: 0, count: width)
        var best = [Int16](repeating: 0, count: width)
        return (0..<strips).map { strip in
            values.withUnsafeBufferPointer { values in
                guard let pixels = values.baseAddress else { return [] }
                return best.withUnsafeMutableBufferPointer { best in
                    for x in 0..<width { best[x] = 0 }
                    sums.withUnsafeMutableBufferPointer { sums in
                        for lean in leans {
                            for x in 0..<width { sums[x] = 0 }
                            for row in 0..<rows {
                                let shift = lean * (2 * row - rows) / (2 * rows)
                                let line = pixels + ((strip * rows + row) * width + shift)
                                for x in margin..<width - margin {
                                    sums[x] &+= Int16(line[x &+ 1]) &- Int16(line[x &- 1])
                                }
                            }
                            for x in margin..<width - margin { best[x] = max(best[x], sums[x], 0 &- sums[x]) }
                        }
                    }
                    var found: [Float] = []
                    while found.count < 6 {
                        guard let place = best.indices.max(by: { best[$0] < best[$1] }), best[place] > 0 else { break }
                        found.append(Float(best[place]) / Float(rows))
                        for x in max(0, place - 3)...min(width - 1, place + 3) { best[x] = 0 }
                    }
                    return found
                }
            }
        }
    }
}
