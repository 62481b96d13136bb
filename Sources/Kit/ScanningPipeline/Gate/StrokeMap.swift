/// The alternation of brightness in each cell of a picture: letters alternate along both axes, an edge along none.
struct StrokeMap {
    /// Pixels on a cell's side.
    static let cell = 12

    let columns: Int
    let rows: Int
    /// Grey levels a pixel, the smaller of the two axes; row-major.
    let strength: [Float]

    /// Computes the sum of steps less the step from the first pixel to the last, along each row and column of a cell.
    ///
    /// A step smaller than `floor` counts nothing: it is the sensor's noise.
    init(of picture: SampledLuma, floor: Int16 = 4) {
        let cell = Self.cell
        let (columns, rows) = (picture.width / cell, picture.height / cell)
        self.columns = columns
        self.rows = rows
        guard columns > 0, rows > 0 else {
            strength = []
            return
        }
        let width = picture.width
        let used = columns * cell
        var smaller = [Float](repeating: 0, count: columns * rows)
        var across = [Int16](repeating: 0, count: used)
        var down = across
        var net = across
        picture.values.withUnsafeBufferPointer { values in
            // Indices from a row's own pointer: sums that might overflow would keep the compiler from making vectors.
            guard let pixels = values.baseAddress else { return }
            across.withUnsafeMutableBufferPointer { across in
                down.withUnsafeMutableBufferPointer { down in
                    net.withUnsafeMutableBufferPointer { net in
                        for row in 0..<rows {
                            let top = row * cell * width
                            for x in 0..<used {
                                across[x] = 0
                                down[x] = 0
                            }
                            for y in 0..<cell {
                                let line = pixels + (top + y * width)
                                let below = line + width
                                // The step to the next pixel; the last one of a cell has none of its own.
                                for x in 0..<used - 1 {
                                    let step = Int16(line[x &+ 1]) &- Int16(line[x])
                                    let size = max(step, 0 &- step)
                                    across[x] &+= size > floor ? size : 0
                                }
                                guard y + 1 < cell else { break }
                                for x in 0..<used {
                                    let step = Int16(below[x]) &- Int16(line[x])
                                    let size = max(step, 0 &- step)
                                    down[x] &+= size > floor ? size : 0
                                }
                            }
                            let first = pixels + top
                            let last = first + (cell - 1) * width
                            for x in 0..<used {
                                let step = Int16(last[x]) &- Int16(first[x])
                                net[x] = max(step, 0 &- step)
                            }
                            for column in 0..<columns {
                                var (x, y): (Int32, Int32) = (0, 0)
                                for index in column * cell..<(column + 1) * cell {
                                    y &+= max(0, Int32(down[index]) &- Int32(net[index]))
                                    if index + 1 < (column + 1) * cell { x &+= Int32(across[index]) }
                                }
                                for line in 0..<cell {
                                    let start = top + line * width + column * cell
                                    let step = Int32(values[start + cell - 1]) &- Int32(values[start])
                                    x &-= max(step, 0 &- step)
                                }
                                let area = Float(cell * cell)
                                smaller[row * columns + column] = min(Float(max(0, x)) / area, Float(y) / area)
                            }
                        }
                    }
                }
            }
        }
        strength = smaller
    }
}
