package import Basics
package import Imaging

/// What a system read off one spine.
package struct Prediction: Sendable, Equatable, Codable {
    package struct Line: Sendable, Equatable, Codable {
        package var text: String
        /// As the system reports it, 0…1; not calibrated.
        ///
        /// Nil when it reports none.
        package var confidence: Double?
        /// Probability that the line is exactly right, as the system reports it, 0…1: calibrated, says the system.
        ///
        /// Nil when it reports none.
        package var probability: Double?
        /// Texts that it may have, ``text`` first; nil when the system is sure of it, or tells no others.
        package var alternatives: [PossibleText]?
        /// In the picture's pixels; nil when the system does not locate text.
        package var quad: Quad?

        package init(
            text: String,
            confidence: Double? = nil,
            probability: Double? = nil,
            alternatives: [PossibleText]? = nil,
            quad: Quad? = nil
        ) {
            self.text = text
            self.confidence = confidence
            self.probability = probability
            self.alternatives = alternatives
            self.quad = quad
        }
    }

    /// A spine on a photo of shelves.
    package struct Spine: Sendable, Equatable, Codable {
        /// Counted from 1: from the top, and in the row from the left.
        package var row: Int
        package var index: Int
        /// In the photo's pixels; nil when the system does not say.
        package var outline: Quad?
        /// Its lines joined by spaces.
        package var text: String
        /// The book that the system says it is; nil when it names none.
        package var answer: BookCandidate?
        /// The book that it may be, when the system names none; nil when it knows none.
        package var guess: BookCandidate?

        package init(
            row: Int,
            index: Int,
            outline: Quad?,
            text: String,
            answer: BookCandidate? = nil,
            guess: BookCandidate? = nil
        ) {
            (self.row, self.index, self.outline, self.text) = (row, index, outline, text)
            (self.answer, self.guess) = (answer, guess)
        }
    }

    /// What came of the equal questions that a system asks for one gesture.
    package struct Gesture: Sendable, Equatable, Codable {
        /// How often the picture was read for all of them.
        package var readings: Int
        /// From question to answer, of each but the first, by the system's own clock.
        package var repeatMilliseconds: [Double]

        package init(readings: Int, repeatMilliseconds: [Double]) {
            (self.readings, self.repeatMilliseconds) = (readings, repeatMilliseconds)
        }
    }

    /// What a system that keeps captures made of one.
    package struct Capture: Sendable, Equatable, Codable {
        /// What it says that the picture shows; "unknown" where it says nothing.
        package var label: String
        /// What the codes hold that it read.
        package var codes: [String]
        /// What stands out on the picture; nil when nothing does.
        package var subject: PictureMask?
        /// Whether it was told: by a narrative that keeps its own rules.
        package var isTold: Bool
        /// Facts that were known of it before it was looked at again with sources that fail; nil until that was done.
        package var facts: Int?
        /// Those of them that were known no more afterwards, by their names.
        package var lostFacts: [String]?

        package init(label: String, codes: [String], subject: PictureMask?, isTold: Bool) {
            (self.label, self.codes, self.subject, self.isTold) = (label, codes, subject, isTold)
        }
    }

    /// In reading order.
    package var lines: [Line]
    /// On a photo of shelves, in order; nil of a system that reads single spines.
    package var spines: [Spine]?
    /// How the text runs: upright, cw, ccw or inverted; nil when the system does not say.
    package var orientation: String?
    /// Why it is not known what was read, though the picture was; nil when ``lines`` are what was read.
    ///
    /// Then nothing is scored: neither a title that was read nor one that was not.
    package var linesProblem: String?
    /// Where the time went, by the system's own clock: detail, not evidence.
    package var stages: StageTimes {
        get { stageTimes ?? stageMilliseconds.map(StageTimes.init(byName:)) ?? StageTimes() }
        set { (stageTimes, stageMilliseconds) = (newValue, nil) }
    }
    /// Processor time of the whole process between the two looks at the clock, all threads; nil where readings overlap or
    /// the system does not tell.
    ///
    /// The harness fills it in.
    package var cpuMilliseconds: Double?
    /// How long it took after the answer until the next reading could begin: no part of any latency.
    ///
    /// The harness fills it in.
    package var concludedMilliseconds: Double?
    /// The books that it may be, best first; nil when the system only reads.
    package var books: [BookCandidate]?
    /// The book that the system says it is; nil when it names none.
    package var answer: BookCandidate?
    /// From file bytes, by the harness's clock; keys as in ``Milestone``.
    ///
    /// The harness fills it in.
    package var milestones: [String: Double]?
    /// Nil of a system that is asked once.
    package var gesture: Gesture?
    /// Nil of a system that keeps no captures.
    package var capture: Capture?
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
    /// How often the stream of an answer had to be opened anew; nil when there was none.
    package var reconnects: Int?
    /// Events of it that could not be read, and were passed over.
    package var malformedEvents: Int?
    /// Scans that a camera's frames of the spine gave; nil of a system that was shown a picture.
    package var scans: Int?
    /// Books that the scans beside the one of ``answer`` named.
    package var otherAnswers: [BookCandidate]?

    private var stageTimes: StageTimes?
    /// As earlier versions wrote it.
    private var stageMilliseconds: [String: Double]?

    package init(lines: [Line], orientation: String? = nil, stages: StageTimes = StageTimes()) {
        self.lines = lines
        self.orientation = orientation
        stageTimes = stages.entries.isEmpty ? nil : stages
    }

    private enum CodingKeys: String, CodingKey {
        case lines, spines, orientation, linesProblem
        case stageTimes = "stages"
        case stageMilliseconds, cpuMilliseconds, concludedMilliseconds, books, answer, gesture, capture, milestones
        case traffic, path, isQueued, drained, waiting, reconnects, malformedEvents, scans, otherAnswers
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

    /// Milliseconds inside models; nil when the system names neither stage.
    package var inferenceMilliseconds: Double? {
        let times = [Stage.detectionInference, .recognitionInference].compactMap { stages[$0] }
        return times.isEmpty ? nil : times.reduce(0, +)
    }
}

extension Prediction {
    /// From file bytes until the milestone, by the harness's clock; nil when it was not reached.
    package func milliseconds(until milestone: Milestone) -> Double? { milestones?[milestone.rawValue] }
}

/// A book that a spine may be of.
package struct BookCandidate: Sendable, Equatable, Codable {
    package var title: String
    package var authors: [String]
    /// Digits, and X at the end of an ISBN-10; nil when it is not known.
    package var isbn: String?
    /// As the system reports it, 0…1; nil when it reports none.
    package var confidence: Double?
    /// True for what was put together from the text, without a record of a catalogue; nil for others.
    package var isDraft: Bool?

    package init(title: String, authors: [String] = [], isbn: String? = nil, confidence: Double? = nil) {
        self.title = title
        self.authors = authors
        self.isbn = isbn
        self.confidence = confidence
    }
}
