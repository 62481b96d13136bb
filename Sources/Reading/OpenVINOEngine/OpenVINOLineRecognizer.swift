internal import Dispatch
public import Raster
internal import Synchronization
public import TextRecognition

/// PaddleOCR's CTC line recognition, run by OpenVINO.
///
/// The network is compiled for a few widths; a line is padded to the next. A line wider than the widest is cut at its
/// emptiest column into windows that are read apart and joined again before decoding.
public struct OpenVINOLineRecognizer: LineRecognizer {
    /// 48 pixels: the height that PaddleOCR's recognisers are trained at.
    public let lineHeight = 48

    private let networks: NetworkPool
    /// Ascending.
    private let widths: [Int]
    private let decoder: CTCDecoder
    private let calibration: LineCalibration?
    private let parallelLines: Int

    init(
        networks: NetworkPool,
        widths: [Int],
        decoder: CTCDecoder,
        calibration: LineCalibration?,
        parallelLines: Int
    ) {
        precondition(!widths.isEmpty && parallelLines > 0, "a recogniser has a width and a thread")
        self.networks = networks
        self.widths = widths.sorted()
        self.decoder = decoder
        self.calibration = calibration
        self.parallelLines = parallelLines
    }

    /// Reads each image, as many side by side as `parallelLines` of the options says.
    ///
    /// - Parameter lines: Images of `lineHeight`; one wider than the widest network is read in windows.
    /// - Returns: One recognition for each line, with its characters' places and the network's emissions.
    /// - Throws: ``OpenVINOError``.
    /// - Precondition: every image is `lineHeight` high.
    public func recognize(_ lines: [RasterImage]) throws -> (lines: [LineRecognition], inferenceTime: Duration) {
        guard let widest = widths.last else { return ([], .zero) }
        let windows = lines.enumerated().flatMap { index, line in
            precondition(line.height == lineHeight, "a line image is \(lineHeight) pixels high")
            return LineWindows(maximumWidth: widest, margin: min(56, widest / 4)).windows(of: line)
                .map { Window(line: index, columns: $0) }
        }
        // The longest first, so that the threads end together.
        let order = windows.indices.sorted { windows[$0].columns.seen.count > windows[$1].columns.seen.count }
        let state = Mutex(Progress(results: Array(repeating: nil, count: windows.count)))
        DispatchQueue.concurrentPerform(iterations: min(parallelLines, max(1, windows.count))) { _ in
            while let index = state.withLock({ $0.next(of: order) }) {
                let result = Result { try read(windows[index], of: lines) }
                state.withLock { $0.finish(index, result) }
            }
        }
        let finished = state.withLock { $0 }
        if let error = finished.error { throw error }

        var parts = [[CTCEmissions]](repeating: [], count: lines.count)
        for (window, result) in zip(windows, finished.results) {
            if let result { parts[window.line].append(result) }
        }
        let recognitions = parts.map { parts in
            CTCEmissions(joining: parts).map(decoder.decode) ?? LineRecognition(text: "", confidence: 0)
        }
        return (recognitions, finished.inferences.union)
    }

    /// The line with the texts that it may have, and the probability that it is right where the network is calibrated.
    public func line(of recognition: LineRecognition, at quad: Quad) -> RecognizedLine {
        decoder.line(of: recognition, at: quad, calibration: calibration)
    }

    var widestLine: Int { widths[widths.count - 1] }

    /// Compiles or loads every width, so that no reading has to wait for one.
    func prepare() throws {
        for width in widths { _ = try networks.network(for: NetworkShape(width: width, height: lineHeight)) }
    }

    private func read(_ window: Window, of lines: [RasterImage]) throws -> WindowReading {
        let line = lines[window.line]
        let seen = window.columns.seen
        let part =
            seen.count == line.width
            ? line : line.cropped(x: seen.lowerBound, y: 0, width: seen.count, height: lineHeight) ?? line
        let width = widths.first { $0 >= part.width } ?? part.width
        let shape = NetworkShape(width: width, height: lineHeight)
        let network = try networks.network(for: shape)
        let result = try network.infer(shape: shape) { input in
            // 127 is as good as 0 to the network after normalisation, which is what it was trained to see as padding.
            part.draw(into: input, of: shape, padding: 127)
        } read: { dimensions, values in
            CTCEmissions(
                classes: dimensions[2],
                values: values,
                stepWidth: Double(width) / Double(dimensions[1]),
                columns: window.columns
            )
        }
        return (result.output, result.interval)
    }
}

private struct Window: Sendable {
    var line: Int
    var columns: LineWindows.Window
}

private typealias WindowReading = (emissions: CTCEmissions, interval: InferenceInterval)

/// Hands out windows to threads and collects what they read.
private struct Progress {
    var results: [CTCEmissions?]
    var inferences: [InferenceInterval] = []
    var error: (any Error)?
    private var taken = 0

    init(results: [CTCEmissions?]) { self.results = results }

    mutating func next(of order: [Int]) -> Int? {
        guard error == nil, taken < order.count else { return nil }
        defer { taken += 1 }
        return order[taken]
    }

    mutating func finish(_ index: Int, _ result: Result<WindowReading, any Error>) {
        switch result {
        case .success(let reading):
            results[index] = reading.emissions
            inferences.append(reading.interval)
        case .failure(let error): self.error = error
        }
    }
}

extension CTCEmissions {
    /// The steps of a window that are its own, with positions in the line.
    ///
    /// The last window of a line keeps one step of padding, where a network may emit the last character.
    ///
    /// `values` has one row of `classes` values for each step of the network, padding included; a step stands for
    /// `stepWidth` columns.
    init(classes: Int, values: UnsafeBufferPointer<Float>, stepWidth: Double, columns: LineWindows.Window) {
        let steps = values.count / classes
        func step(_ column: Int) -> Int {
            Int((Double(column - columns.seen.lowerBound) / stepWidth).rounded())
        }
        let first = step(columns.own.lowerBound)
        let isLast = columns.own.upperBound == columns.seen.upperBound
        let end = min(steps, step(columns.own.upperBound) + (isLast ? 1 : 0))
        self.init(
            classes: classes,
            probabilities: Array(values[first * classes..<end * classes]),
            positions: (first..<end).map { Double(columns.seen.lowerBound) + (Double($0) + 0.5) * stepWidth }
        )
    }
}
