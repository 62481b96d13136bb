public import Raster

/// Cuts a line image that is wider than a recogniser takes into windows, at columns without text.
///
/// Each window sees a margin of its neighbours, so that no character is read without what stands beside it; what is
/// read there is not its own.
public struct LineWindows: Sendable {
    /// One window of a line.
    public struct Window: Sendable, Equatable {
        /// The columns whose characters are this window's.
        public var own: Range<Int>
        /// The columns that are read.
        public var seen: Range<Int>
    }

    /// The widest window in pixels.
    public let maximumWidth: Int
    /// Columns of a neighbour that a window sees.
    public let margin: Int

    /// Windows of at most `maximumWidth` pixels that see `margin` pixels of each neighbour.
    ///
    /// - Precondition: a window holds eight columns of its own at least.
    public init(maximumWidth: Int, margin: Int) {
        precondition(margin >= 0 && maximumWidth - 2 * margin >= 8, "a window holds at least a character")
        self.maximumWidth = maximumWidth
        self.margin = margin
    }

    /// The windows of a line image from left to right; their own columns together are the whole image.
    ///
    /// A line that fits is one window. Otherwise each window takes an equal share of the rest, give or take a quarter,
    /// and ends at the column whose pixels differ least from one another: between words, if there is a gap nearby.
    public func windows(of line: RasterImage) -> [Window] {
        guard line.width > maximumWidth else { return [Window(own: 0..<line.width, seen: 0..<line.width)] }
        let room = maximumWidth - 2 * margin
        var windows: [Window] = []
        var start = 0
        while start < line.width {
            let rest = line.width - start
            let count = (rest + room - 1) / room
            var end = line.width
            if count > 1 {
                let share = rest / count
                let slack = max(1, min(share / 4, room - share))
                // The windows to come must be able to hold what this one leaves.
                let low = max(start + share - slack, line.width - (count - 1) * room)
                end = emptiestColumn(of: line, in: low...max(low, min(start + share + slack, start + room)))
            }
            windows.append(
                Window(own: start..<end, seen: max(0, start - margin)..<min(line.width, end + margin))
            )
            start = end
        }
        return windows
    }

    /// The column whose pixels differ least from one another; of equals, the one nearest to the middle.
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
