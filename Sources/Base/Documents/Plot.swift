package struct Plot: Sendable, Equatable, Codable {
    package struct Series: Sendable, Equatable, Codable {
        package var name: String
        /// Rising.
        package var x: [Double]
        /// Values for each element of `x`.
        package var y: [Double]
        package var isStepped: Bool

        package init(_ name: String, x: [Double], y: [Double], isStepped: Bool = false) {
            precondition(x.count == y.count, "a point has two numbers")
            (self.name, self.x, self.y, self.isStepped) = (name, x, y, isStepped)
        }
    }

    /// A level that means something, such as a target.
    package struct Level: Sendable, Equatable, Codable {
        package var name: String
        package var y: Double

        package init(_ name: String, y: Double) { (self.name, self.y) = (name, y) }
    }

    package var title: String
    /// Label of the x axis with its unit: "time (min)".
    package var xLabel: String
    package var yLabel: String
    package var series: [Series]
    package var levels: [Level]

    package init(_ title: String, xLabel: String, yLabel: String, series: [Series], levels: [Level] = []) {
        (self.title, self.xLabel, self.yLabel) = (title, xLabel, yLabel)
        (self.series, self.levels) = (series, levels)
    }
}

/// Bars beside each other on an axis that begins at zero, drawn with letters.
package struct BarPlot: Sendable, Equatable {
    package struct Bar: Sendable, Equatable {
        package var name: String
        /// Nil without a figure.
        package var value: Double?
        /// Text behind the bar: the figure, or the reason for a missing one.
        package var text: String

        package init(_ name: String, _ value: Double?, text: String) {
            (self.name, self.value, self.text) = (name, value, text)
        }
    }

    /// Title with the unit: "Time to text, P95 (ms)".
    package var title: String
    package var bars: [Bar]
    /// Minimum end of the axis; nil for the longest bar.
    package var end: Double?

    package init(_ title: String, bars: [Bar], end: Double? = nil) {
        (self.title, self.bars, self.end) = (title, bars, end)
    }

    /// Returns the diagram, no line wider than `width` columns.
    func lines(width: Int) -> [String] {
        let end = max(end ?? 0, bars.compactMap(\.value).max() ?? 0)
        let names = min(bars.map { TextWidth.of($0.name) }.max() ?? 0, max(4, width / 3))
        let texts = min(bars.map { TextWidth.of($0.text) }.max() ?? 0, max(4, width / 3))
        let room = max(4, width - names - texts - 6)
        return [TextWidth.cut(title, to: width)]
            + bars.map { bar in
                let eighths = end > 0 ? Int((Double(room) * 8 * min(1, max(0, bar.value ?? 0) / end)).rounded()) : 0
                let part = eighths % 8 == 0 ? "" : String(Array("▏▎▍▌▋▊▉")[eighths % 8 - 1])
                let drawn = String(repeating: "█", count: eighths / 8) + part
                let name = TextWidth.padded(TextWidth.cut(bar.name, to: names), to: names)
                return "  \(name)  \(TextWidth.padded(drawn, to: room))  \(TextWidth.cut(bar.text, to: texts))"
            }
    }
}
