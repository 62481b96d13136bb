package import Harness
package import Raster

/// What one measurement made of one sample.
package struct PageReading: Sendable, Encodable {
    /// One line of text.
    package struct Line: Sendable, Encodable {
        package var text: String
        /// 0…1.
        package var confidence: Double?
        /// In pixels of the full-size picture.
        package var quad: Quad?

        package init(text: String, confidence: Double? = nil, quad: Quad? = nil) {
            self.text = text
            self.confidence = confidence
            self.quad = quad
        }

        /// Encodes `["text"]`, `["text", 0.98]` or `["text", 0.98, x, y, …]`, whole pixels.
        ///
        /// The fourth corner is left out where it is, within a pixel, what makes a parallelogram of the other three.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(text)
            if confidence != nil || quad != nil { try container.encode(confidence.map { Rounded($0, 2) }) }
            guard let quad else { return }
            for number in Self.numbers(quad) { try container.encode(number) }
        }

        private static func numbers(_ quad: Quad) -> [Int] {
            // Far beyond any picture, and far from what an integer cannot hold.
            func whole(_ number: Double) -> Int { number.isFinite ? Int(min(max(number, -1e6), 1e6).rounded()) : 0 }
            let corners = quad.corners.map { (x: whole($0.x), y: whole($0.y)) }
            let fourth = (
                x: corners[0].x + corners[2].x - corners[1].x,
                y: corners[0].y + corners[2].y - corners[1].y
            )
            let isParallel = abs(fourth.x - corners[3].x) <= 1 && abs(fourth.y - corners[3].y) <= 1
            return corners.prefix(isParallel ? 3 : 4).flatMap { [$0.x, $0.y] }
        }
    }

    /// Of the first repetition, in reading order: the texts joined by spaces are what was scored.
    package var lines: [Line]
    /// upright, cw, ccw or inverted.
    package var orientation: String?
    /// Nil when it was not scored.
    package var titleRead: Bool?
    package var authorRead: Bool?
    /// Character error rate against the transcription.
    package var cer: Double?
    /// Of each repetition; nil for one that did not succeed.
    package var milliseconds: [Double?]
    /// Of the first repetition, in the order of ``PageMeasurement/stages``.
    package var stages: [Double?]
    /// The worst of all repetitions.
    package var outcome: SampleRecord.Outcome
    /// What happened; nil when all went well.
    package var problem: String?
    /// Whether the repetitions read different texts.
    package var varies: Bool
    /// The book that was named and whether it is right: "right: Dubliners"; nil when the system only reads.
    package var book: String?

    package init(
        lines: [Line] = [],
        orientation: String? = nil,
        titleRead: Bool? = nil,
        authorRead: Bool? = nil,
        cer: Double? = nil,
        milliseconds: [Double?] = [],
        stages: [Double?] = [],
        outcome: SampleRecord.Outcome = .read,
        problem: String? = nil,
        varies: Bool = false,
        book: String? = nil
    ) {
        self.lines = lines
        self.orientation = orientation
        self.titleRead = titleRead
        self.authorRead = authorRead
        self.cer = cer
        self.milliseconds = milliseconds
        self.stages = stages
        self.outcome = outcome
        self.problem = problem
        self.varies = varies
        self.book = book
    }

    private enum CodingKeys: String, CodingKey {
        case lines = "l"
        case orientation = "o"
        case titleRead = "t"
        case authorRead = "a"
        case cer = "e"
        case milliseconds = "m"
        case stages = "s"
        case outcome = "u"
        case problem = "p"
        case varies = "v"
        case book = "b"
    }

    /// Encodes what is there: an outcome only when it is not `read`, yes and no as 1 and 0.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !lines.isEmpty { try container.encode(lines, forKey: .lines) }
        try container.encodeIfPresent(orientation, forKey: .orientation)
        try container.encodeIfPresent(titleRead.map { $0 ? 1 : 0 }, forKey: .titleRead)
        try container.encodeIfPresent(authorRead.map { $0 ? 1 : 0 }, forKey: .authorRead)
        try container.encodeIfPresent(cer.map { Rounded($0, 3) }, forKey: .cer)
        if !milliseconds.isEmpty {
            try container.encode(milliseconds.map { $0.map { Rounded($0, 2) } }, forKey: .milliseconds)
        }
        if !stages.isEmpty { try container.encode(stages.map { $0.map { Rounded($0, 1) } }, forKey: .stages) }
        if outcome != .read { try container.encode(outcome, forKey: .outcome) }
        try container.encodeIfPresent(problem, forKey: .problem)
        if varies { try container.encode(1, forKey: .varies) }
        try container.encodeIfPresent(book, forKey: .book)
    }
}

/// A number that is written with so many decimals at most, and as null when it is not finite.
private struct Rounded: Encodable {
    let value: Double?

    init(_ value: Double, _ decimals: Int) {
        let scale = [1.0, 10, 100, 1_000][decimals]
        self.value = value.isFinite ? (value * scale).rounded() / scale : nil
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
