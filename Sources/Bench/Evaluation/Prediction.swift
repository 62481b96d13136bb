package import Basics
import Foundation
package import Imaging

/// Result of reading one spine.
package struct Prediction: Sendable, Equatable, Codable {
    package struct Line: Sendable, Equatable, Codable {
        package var text: String
        /// Confidence as the system reports it, 0…1, not calibrated; nil when it reports none.
        package var confidence: Double?
        /// Probability, 0…1, that the line is exactly right, which the system calibrated; nil when it reports none.
        package var probability: Double?
        /// Alternative texts, ``text`` first; nil when the system is certain or reports none.
        package var alternatives: [PossibleText]?
        /// Position in pixels of the picture; nil when the system does not locate text.
        package var quad: Quad?
        /// Name of the network that read it; nil when the system does not report it.
        package var network: String?

        package init(
            text: String,
            confidence: Double? = nil,
            probability: Double? = nil,
            alternatives: [PossibleText]? = nil,
            quad: Quad? = nil
        ) {
            (self.text, self.confidence, self.probability) = (text, confidence, probability)
            (self.alternatives, self.quad) = (alternatives, quad)
        }
    }

    package struct Spine: Sendable, Equatable, Codable {
        /// Counted from 1: from the top, and in the row from the left.
        package var row: Int
        package var index: Int
        /// Outline in pixels of the photo; nil when the system does not report it.
        package var outline: Quad?
        /// Lines joined by spaces.
        package var text: String
        /// Book that the system identified; nil when it names none.
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

    /// Result of the equal questions that a system asks for one gesture.
    package struct Gesture: Sendable, Equatable, Codable {
        /// Number of times the picture was read for all questions.
        package var readings: Int
        /// Time from question to answer of every question but the first, by the system's own clock.
        package var repeatMilliseconds: [Double]

        package init(readings: Int, repeatMilliseconds: [Double]) {
            (self.readings, self.repeatMilliseconds) = (readings, repeatMilliseconds)
        }
    }

    /// Lines in reading order.
    package var lines: [Line]
    /// Spines on a photo of shelves, in order; nil for systems that read single spines.
    package var spines: [Spine]?
    /// Direction of the text: upright, cw, ccw or inverted; nil when the system does not report it.
    package var orientation: String?
    /// Reason why the lines are unknown although the picture was read, so that nothing is scored; nil when they are
    /// valid.
    package var linesProblem: String?
    /// Time of each stage by the system's own clock: detail, not evidence.
    package var stages: StageTimes {
        get { stageTimes ?? StageTimes() }
        set { stageTimes = newValue }
    }
    /// Processor time of the whole process between the two clock readings, filled in by the harness; nil when readings
    /// overlap or the system does not report it.
    package var cpuMilliseconds: Double?
    /// Time from the answer until the next reading could begin, outside any latency; filled in by the harness.
    package var concludedMilliseconds: Double?
    /// The books that it may be, best first; nil when the system only reads.
    package var books: [BookCandidate]?
    /// Book that the system identified; nil when it names none.
    package var answer: BookCandidate?
    /// Time from file bytes to each ``Milestone``, by its raw value; filled in by the harness.
    package var milestones: [String: Double]?
    /// Result of a gesture; nil for systems that are asked once.
    package var gesture: Gesture?
    /// Network traffic as the system counted it; nil when it does not count.
    package var traffic: Traffic?
    /// Work up to the answer, as the system counted it; nil when it does not count.
    package var work: WorkCounts?
    /// The tiers that had a part in it, in order, such as `fast` and `enrich`.
    package var path: [String]?
    /// Whether the scan is deferred, because the network or the back end was unavailable.
    package var isQueued: Bool?
    /// Number of deferred scans that were answered after this one.
    package var drained: Int?
    /// Number of scans still deferred after this one.
    package var waiting: Int?
    /// Number of times the stream of an answer was reopened; nil when there was no stream.
    package var reconnects: Int?
    /// Events of it that could not be read, and were passed over.
    package var malformedEvents: Int?
    /// Scans that a camera's frames of the spine gave; nil of a system that was shown a picture.
    package var scans: Int?
    /// Books that the scans beside the one of ``answer`` named.
    package var otherAnswers: [BookCandidate]?

    private var stageTimes: StageTimes?

    package init(lines: [Line], orientation: String? = nil, stages: StageTimes = StageTimes()) {
        self.lines = lines
        self.orientation = orientation
        stageTimes = stages.entries.isEmpty ? nil : stages
    }

    private enum CodingKeys: String, CodingKey {
        case lines, spines, orientation, linesProblem
        case stageTimes = "stages"
        case cpuMilliseconds, concludedMilliseconds, books, answer, gesture, milestones
        case traffic, work, path, isQueued, drained, waiting, reconnects, malformedEvents, scans, otherAnswers
    }

    /// Returns the lines of a text that are not blank.
    package static func lines(of text: String) -> [Line] {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            .filter { !$0.isEmpty }.map { Line(text: $0) }
    }

    /// Lines joined by spaces: the text that is scored.
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
    /// Returns the time from file bytes to a milestone, by the harness's clock; nil when it was not reached.
    package func milliseconds(until milestone: Milestone) -> Double? { milestones?[milestone.rawValue] }
}

package struct BookCandidate: Sendable, Equatable, Codable {
    package var title: String
    package var authors: [String]
    /// Digits, and X at the end of an ISBN-10; nil when it is not known.
    package var isbn: String?
    /// Confidence as the system reports it, 0…1; nil when it reports none.
    package var confidence: Double?
    /// True for a book composed from the text without a catalogue record; nil for others.
    package var isDraft: Bool?

    package init(title: String, authors: [String] = [], isbn: String? = nil, confidence: Double? = nil) {
        (self.title, self.authors, self.isbn, self.confidence) = (title, authors, isbn, confidence)
    }
}

/// Milestone of a scan that is visible to a user before it is over.
package enum Milestone: String, Sendable, Codable, CaseIterable {
    /// The draft of a book is in the library: something was scanned (S0-T03).
    case draft
    /// Picture ready to be sent: decoded, scaled and encoded again (S2-30).
    case prepared
    case text
    /// The book has the catalogue's data, or is known to be missing from it.
    case enriched
}

package struct Traffic: Sendable, Equatable, Codable {
    /// Information about the user in transferred bytes.
    package enum Content: String, Sendable, Codable, CaseIterable {
        case image
        /// Text read off a spine, and data of its book.
        case text
        /// Identifiers of users, devices and jobs.
        case id
        /// All other bytes: request lines, headers, the framing of messages.
        case control
    }

    /// Bytes sent, by their content: keys as in ``Content``.
    package var up: [String: Int]
    /// Bytes received, likewise.
    package var down: [String: Int]
    /// Bytes sent over the connection after compression, with headers and encryption; nil when it does not count them.
    package var wireUp: Int?
    package var wireDown: Int?
    /// Sockets that a process behind a ``NetworkGuard`` asked for, of which it got none; nil when it may have some.
    package var refusedSockets: Int?

    package init(refusedSockets: Int) {
        self.init(wireUp: 0, wireDown: 0)
        self.refusedSockets = refusedSockets
    }

    package init(up: [String: Int] = [:], down: [String: Int] = [:], wireUp: Int? = nil, wireDown: Int? = nil) {
        (self.up, self.down, self.wireUp, self.wireDown) = (up, down, wireUp, wireDown)
    }

    package var sent: Int { up.values.reduce(0, +) }

    package var received: Int { down.values.reduce(0, +) }
}
