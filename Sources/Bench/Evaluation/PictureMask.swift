package import Imaging

/// A part of a picture, on a grid over it.
package struct PictureMask: Sendable, Equatable, Codable {
    /// Cells of a row, and rows.
    package var width: Int
    package var height: Int
    /// Pixels of the picture along a cell's side.
    package var cell: Double
    /// Run lengths of cells in rows, from the top left: alternately outside and inside.
    package var runs: [Int]

    /// Cells of the long side of the grid: an error of the grid of about 1 % for a subject of half a picture's width.
    package static let side = 192

    /// `isIn`: of each cell, row by row.
    package init(width: Int, height: Int, cell: Double, isIn: [Bool]) {
        (self.width, self.height, self.cell) = (width, height, cell)
        runs =
            isIn.reduce(into: (runs: [0], last: false)) { state, isIn in
                if isIn == state.last {
                    state.runs[state.runs.count - 1] += 1
                } else {
                    state.runs.append(1)
                    state.last = isIn
                }
            }.runs
    }

    /// Returns the overlap with the interior (even-odd rule) of an outline in the picture's pixels, by the middles of
    /// the cells: intersection over union, 0…1; 0 when both are empty.
    package func overlap(with outline: [Point]) -> Double {
        let isIn = runs.enumerated().flatMap { [Bool](repeating: $0.offset % 2 == 1, count: max(0, $0.element)) }
        guard isIn.count == width * height else { return 0 }
        var (both, either) = (0, 0)
        for row in 0..<height {
            let y = (Double(row) + 0.5) * cell
            let crossings = outline.crossings(at: y)
            for column in 0..<width {
                let x = (Double(column) + 0.5) * cell
                let isTrue = crossings.count { $0 <= x } % 2 == 1
                let isFound = isIn[row * width + column]
                if isTrue && isFound { both += 1 }
                if isTrue || isFound { either += 1 }
            }
        }
        return either == 0 ? 0 : Double(both) / Double(either)
    }
}
