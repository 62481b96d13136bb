package import Imaging
package import TextRecognition

/// PaddleOCR's CTC line recognition, run by OpenVINO.
///
/// Lines are read side by side on sheets of a few widths, one sheet after the other, each on all threads. A line
/// wider than the widest sheet is cut at its emptiest columns into windows that are read apart and joined again
/// before decoding.
package struct OpenVINOLineRecognizer: LineRecognizer {
    /// 48 pixels: the height that PaddleOCR's recognisers are trained at.
    package let lineHeight = 48

    let networks: NetworkPool
    /// Ascending.
    private let widths: [Int]
    private let decoder: CTCDecoder
    private let name: String
    private let calibration: LineCalibration?

    init(networks: NetworkPool, name: String, widths: [Int], decoder: CTCDecoder, calibration: LineCalibration?) {
        precondition(!widths.isEmpty, "a recogniser has a width")
        (self.networks, self.name, self.widths) = (networks, name, widths.sorted())
        (self.decoder, self.calibration) = (decoder, calibration)
    }

    /// Reads each image.
    ///
    /// - Parameter lines: Images of `lineHeight`; one wider than the widest sheet is read in windows.
    /// - Returns: One recognition for each line, with its characters' places and the network's emissions.
    /// - Throws: ``OpenVINOError``.
    /// - Precondition: every image is `lineHeight` high.
    package func recognize(_ lines: [RasterImage]) throws -> (lines: [LineRecognition], inferenceTime: Duration) {
        let windows = lines.enumerated().flatMap { index, line in
            precondition(line.height == lineHeight, "a line image is \(lineHeight) pixels high")
            return line.lineWindows(maximumWidth: widestLine, margin: min(Self.margin, widestLine / 4))
                .map { Window(line: index, columns: $0) }
        }
        var read = [CTCEmissions?](repeating: nil, count: windows.count)
        var inferenceTime = Duration.zero
        for sheet in LineSheet.sheets(for: windows.map(\.columns.seen.count), widths: widths) {
            let (emissions, time) = try self.read(sheet, of: windows, lines: lines)
            for (place, emissions) in zip(sheet.places, emissions) { read[place.window] = emissions }
            inferenceTime += time
        }
        var parts = [[CTCEmissions]](repeating: [], count: lines.count)
        for (window, emissions) in zip(windows, read) { parts[window.line] += emissions.map { [$0] } ?? [] }
        let recognitions = parts.map { parts in
            CTCEmissions(joining: parts).map(decoder.decode) ?? LineRecognition(text: "", confidence: 0)
        }
        return (recognitions, inferenceTime)
    }

    /// Returns the line with the texts that it may have, the network's name, and the probability that it is right
    /// where the network is calibrated.
    package func line(of recognition: LineRecognition, at quad: Quad) -> RecognizedLine {
        var line = decoder.line(of: recognition, at: quad, calibration: calibration)
        line.network = name
        return line
    }

    /// Columns that a window sees of each neighbour: half a letter.
    ///
    /// With 56 no more titles of the development sets are read, in a tenth more time.
    private static let margin = 24

    var widestLine: Int { widths[widths.count - 1] }

    /// Texts of the decoder, the blank among them.
    var classes: Int { decoder.alphabet.count }

    /// Compiles or loads the network and runs it at every width, so that no reading has to wait for one.
    package func prepare() throws {
        for width in widths { try networks.prepare(shape(width)) }
    }

    func shape(_ width: Int) -> NetworkShape { NetworkShape(width: width, height: lineHeight) }

    private func read(
        _ sheet: LineSheet,
        of windows: [Window],
        lines: [RasterImage]
    ) throws -> (emissions: [CTCEmissions], inferenceTime: Duration) {
        let shape = shape(sheet.width)
        let result = try networks.infer(shape) { input in
            // 127 equals about 0 after normalisation, which the network was trained to see as padding.
            input.update(repeating: 127)
            for place in sheet.places {
                let window = windows[place.window]
                lines[window.line].draw(window.columns.seen, into: input, of: shape, at: place.column)
            }
        } read: { dimensions, values in
            guard dimensions.count == 3, dimensions[2] == classes else { return [CTCEmissions]?.none }
            return sheet.places.map { place in
                CTCEmissions(
                    classes: dimensions[2],
                    values: values,
                    stepWidth: Double(sheet.width) / Double(dimensions[1]),
                    columns: windows[place.window].columns,
                    at: place.column
                )
            }
        }
        return (result.output, result.inferenceTime)
    }
}

private struct Window: Sendable {
    var line: Int
    var columns: LineWindow
}

extension CTCEmissions {
    /// Creates the emissions of a window's own steps, with positions in the line.
    ///
    /// The last window of a line has one further step behind it, where a network may emit the last character.
    ///
    /// `values` has one row of `classes` values for each step of the sheet; a step covers `stepWidth` columns, and
    /// the window begins at `column` of the sheet.
    init(
        classes: Int,
        values: UnsafeBufferPointer<Float>,
        stepWidth: Double,
        columns: LineWindow,
        at column: Int = 0
    ) {
        let steps = values.count / classes
        /// The sheet's column where the line would begin.
        let origin = column - columns.seen.lowerBound
        func step(_ column: Int) -> Int { Int((Double(origin + column) / stepWidth).rounded()) }
        let first = step(columns.own.lowerBound)
        let isLast = columns.own.upperBound == columns.seen.upperBound
        let end = min(steps, max(first, step(columns.own.upperBound)) + (isLast ? 1 : 0))
        self.init(
            classes: classes,
            probabilities: Array(values[first * classes..<end * classes]),
            positions: (first..<end).map { (Double($0) + 0.5) * stepWidth - Double(origin) }
        )
    }
}

/// Line images, or windows of them, side by side on one input of the recogniser.
///
/// The network reads a sheet in the time of its width, however many lines are on it: short lines share one.
struct LineSheet: Sendable, Equatable {
    /// The position of a window on the sheet.
    struct Place: Sendable, Equatable {
        var window: Int
        /// The column where it begins.
        var column: Int
    }

    /// Places from left to right.
    var places: [Place]
    /// The network's width in pixels.
    var width: Int

    /// Columns between two windows: less than the space between two words, and more than the network's step of eight.
    private static let gap = 24

    /// Returns the sheets that hold windows of these widths in pixels, each in the narrowest of the network's widths
    /// that it fits: the widest sheets first, since a network that takes any shape is slower after each change of it.
    ///
    /// The longest window is placed first, on the first sheet that has room (first fit decreasing).
    ///
    /// - Precondition: the network's widths ascend, there is one, and no window is wider than the last.
    static func sheets(for windows: [Int], widths: [Int]) -> [LineSheet] {
        let widest = widths[widths.count - 1]
        var sheets: [LineSheet] = []
        for window in windows.indices.sorted(by: { (windows[$1], $0) < (windows[$0], $1) }) {
            if let index = sheets.firstIndex(where: { $0.width + gap + windows[window] <= widest }) {
                sheets[index].places.append(Place(window: window, column: sheets[index].width + gap))
                sheets[index].width += gap + windows[window]
            } else {
                sheets.append(LineSheet(places: [Place(window: window, column: 0)], width: windows[window]))
            }
        }
        for index in sheets.indices { sheets[index].width = widths.first { $0 >= sheets[index].width } ?? widest }
        return sheets.enumerated().sorted { ($1.element.width, $0.offset) < ($0.element.width, $1.offset) }.map(
            \.element
        )
    }
}
