internal import Basics
package import Imaging
package import TextRecognition

/// Two recognisers: a quick one reads every line, and a better one again those that it may have misread.
package struct CascadedLineRecognizer: LineRecognizer {
    package let lineHeight = 48

    private var first: OpenVINOLineRecognizer
    private let second: OpenVINOLineRecognizer

    /// Minimum calibrated probability, and minimum confidence, of a line that is not read again.
    ///
    /// With PP-OCRv6 tiny before small, `fast` reads 406 of 460 titles of the development sets in f32 and 403 in bf16, and
    /// 405 without it; by the probability alone 404 in f32, and of the 221 photographed ones two fewer.
    private static let (sureProbability, sureConfidence) = (0.6, 0.95)

    /// Creates the cascade of the recognisers of two engines and loads the first, which counts as PP-OCRv6 tiny.
    ///
    /// - Throws: ``OpenVINOError``.
    package init(first: OpenVINOLineRecognizer, second: OpenVINOLineRecognizer) throws {
        (self.first, self.second) = (first, second)
        self.first.calibration = .ppOCRv6Tiny
        try first.prepare()
    }

    package func recognize(_ lines: [RasterImage]) throws -> (lines: [LineRecognition], inferenceTime: Duration) {
        var (read, time) = try first.recognize(lines)
        let doubtful = read.indices.filter { !isSure(read[$0]) }
        let again = try second.recognize(doubtful.map { lines[$0] })
        time += again.inferenceTime
        for (index, recognition) in zip(doubtful, again.lines) { read[index] = recognition }
        return (read, time)
    }

    private func isSure(_ recognition: LineRecognition) -> Bool {
        guard !recognition.text.isEmpty, recognition.confidence >= Self.sureConfidence else { return false }
        let line = first.line(of: recognition, at: Quad(left: 0, top: 0, right: 1, bottom: 1))
        return line.probability ?? 0 >= Self.sureProbability
    }

    /// Returns the line of a recognition by the recogniser that read it, as the number of classes tells.
    package func line(of recognition: LineRecognition, at quad: Quad) -> RecognizedLine {
        let isFirst = recognition.emissions?.classes == first.classes
        return (isFirst ? first : second).line(of: recognition, at: quad)
    }
}
