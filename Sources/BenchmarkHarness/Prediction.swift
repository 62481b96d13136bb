package import Raster

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
    /// The books that it may be, best first; nil when the system only reads.
    package var books: [BookCandidate]?
    /// The book that the system says it is; nil when it names none.
    package var answer: BookCandidate?
    /// From file bytes, by the harness's clock; keys as in ``Milestone``.
    ///
    /// The harness fills it in.
    package var milestones: [String: Double]?
    /// What went over the network, as the system counted it; nil when it does not count.
    package var traffic: Traffic?
    /// The tiers that had a part in it, in order, such as `fast` and `enrich`.
    package var path: [String]?
    /// Whether the scan is kept for later, because the network or the back end was not there.
    package var isQueued: Bool?
    /// How many scans that were kept for later were answered after this one.
    package var drained: Int?
    /// How many are kept for later after this one.
    package var waiting: Int?

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
        /// Reading on the device, inference included; missing where the device did not read.
        package static let reading = "reading"
        /// From a text's request to the back end's answer.
        package static let enrichment = "enrichment"
        /// From a picture's request to the back end's answer.
        package static let upload = "upload"
    }

    /// Milliseconds inside models; nil when the system names neither stage.
    package var inferenceMilliseconds: Double? {
        let stages = [Stage.detectionInference, Stage.recognitionInference].compactMap { stageMilliseconds[$0] }
        return stages.isEmpty ? nil : stages.reduce(0, +)
    }
}
