public import Raster

/// Cuts a line image that is wider than a recogniser takes into windows, at columns without text.
public struct LineWindows: Sendable {
    /// The widest window in pixels.
    public let maximumWidth: Int

    public init(maximumWidth: Int) {
        precondition(maximumWidth >= 8, "a window holds at least a character")
        self.maximumWidth = maximumWidth
    }

    /// The column ranges of the windows, from left to right; together they are the whole image.
    ///
    /// Each window is as wide as the rest of the line shared equally allows, give or take a quarter, and ends at the
    /// column whose pixels differ least from one another: between words, if there is a gap nearby.
    public func ranges(of line: RasterImage) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        while line.width - start > maximumWidth {
            let rest = line.width - start
            let windows = (rest + maximumWidth - 1) / maximumWidth
            let share = rest / windows
            let slack = max(1, min(share / 4, maximumWidth - share, 2 * 48))
            // The remaining windows must be able to hold what this one leaves.
            let low = max(start + share - slack, line.width - (windows - 1) * maximumWidth)
            let high = min(start + share + slack, start + maximumWidth, line.width - 1)
            let cut = emptiestColumn(of: line, in: min(low, high)...high)
            ranges.append(start..<cut)
            start = cut
        }
        ranges.append(start..<line.width)
        return ranges
    }

    private func emptiestColumn(of line: RasterImage, in columns: ClosedRange<Int>) -> Int {
        let middle = (columns.lowerBound + columns.upperBound) / 2
        func spread(_ column: Int) -> Int {
            var low = 255
            var high = 0
            // The middle two thirds of the height: a frame above and below the letters is not text.
            for row in line.height / 6..<max(line.height / 6 + 1, line.height * 5 / 6) {
                let value = Int(line.pixels[(row * line.width + column) * line.channels + line.channels / 2])
                low = min(low, value)
                high = max(high, value)
            }
            return high - low
        }
        return columns.min { (spread($0), abs($0 - middle)) < (spread($1), abs($1 - middle)) } ?? middle
    }
}
