package import Raster

/// What the harness measures: something that turns a picture file's bytes into text.
package protocol SystemUnderTest: Sendable {
    /// Reads one picture of one spine.
    ///
    /// - Parameters:
    ///   - bytes: the whole PNG or JPEG file.
    ///   - name: what errors call the file.
    /// - Returns: what was read; without lines when the picture has no text.
    /// - Throws: when the bytes or the engine fail.
    func process(_ bytes: [UInt8], name: String) throws -> Prediction
}

/// What a system read off one spine.
package struct Prediction: Sendable, Equatable, Codable {
    /// One line of text.
    package struct Line: Sendable, Equatable, Codable {
        package var text: String
        /// As the system reports it, 0…1; not calibrated.
        ///
        /// Nil when it reports none.
        package var confidence: Double?
        /// In the picture's pixels; nil when the system does not locate text.
        package var quad: Quad?

        package init(text: String, confidence: Double? = nil, quad: Quad? = nil) {
            self.text = text
            self.confidence = confidence
            self.quad = quad
        }
    }

    /// In reading order.
    package var lines: [Line]
    /// How the text runs: upright, cw, ccw or inverted; nil when the system does not say.
    package var orientation: String?
    /// Where the time went, by the system's own clock: detail, not evidence.
    ///
    /// Keys as in ``Stage``, and any others.
    package var stageMilliseconds: [String: Double]

    package init(lines: [Line], orientation: String? = nil, stageMilliseconds: [String: Double] = [:]) {
        self.lines = lines
        self.orientation = orientation
        self.stageMilliseconds = stageMilliseconds
    }

    /// The lines joined by spaces: what is scored.
    package var text: String { lines.map(\.text).joined(separator: " ") }

    /// The mean confidence of the lines, weighted by how long they are, 0…1; nil when a line has none.
    package var confidence: Double? {
        let weighted = lines.compactMap { line in line.confidence.map { ($0, Double(line.text.count)) } }
        let weight = weighted.reduce(0) { $0 + $1.1 }
        guard weighted.count == lines.count, weight > 0 else { return nil }
        return weighted.reduce(0) { $0 + $1.0 * $1.1 } / weight
    }

    /// The keys of `stageMilliseconds` that reports know.
    package enum Stage {
        /// From file bytes to pixels.
        package static let decode = "decode"
        /// Inside the detection model.
        package static let detectionInference = "detectionInference"
        /// Inside the recognition and orientation models.
        package static let recognitionInference = "recognitionInference"
        /// From file bytes to text.
        package static let total = "total"
    }

    /// Milliseconds inside models; nil when the system names neither stage.
    package var inferenceMilliseconds: Double? {
        let stages = [Stage.detectionInference, Stage.recognitionInference].compactMap { stageMilliseconds[$0] }
        return stages.isEmpty ? nil : stages.reduce(0, +)
    }
}

extension Duration {
    /// This duration in milliseconds.
    package var milliseconds: Double {
        Double(components.seconds) * 1_000 + Double(components.attoseconds) / 1e15
    }
}
