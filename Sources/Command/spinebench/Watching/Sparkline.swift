/// Numbers as a row of blocks.
enum Sparkline {
    private static let blocks = Array("▁▂▃▄▅▆▇█")

    /// One block for each number, the lowest for the bottom and the highest for the top.
    ///
    /// - Parameters:
    ///   - values: in order; the last `width` of them are shown.
    ///   - bottom: what the lowest block stands for.
    ///   - top: what the highest one stands for; with no more than `bottom`, all are the lowest.
    ///   - width: in columns.
    /// - Returns: no longer than `width`.
    static func of(_ values: [Double], bottom: Double, top: Double, width: Int) -> String {
        String(
            values.suffix(max(0, width)).map { value in
                guard top > bottom, value > bottom else { return blocks[0] }
                let share = (min(value, top) - bottom) / (top - bottom)
                return blocks[min(blocks.count - 1, Int(share * Double(blocks.count)))]
            }
        )
    }
}
