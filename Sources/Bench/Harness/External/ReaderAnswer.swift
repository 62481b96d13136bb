import Basics
package import Evaluation
import Foundation
import Imaging
import SpineDatasets

/// Error of a reading, or of a command or a service of a user.
package struct ReaderFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String
    /// Owner of the fault; nil where it is the reader's.
    package var owner: FaultOwner?

    /// Creates one with texts of the reader's in it, which may contain anything.
    package init(_ description: String, owner: FaultOwner? = nil) {
        (self.description, self.owner) = (description.withoutControls, owner)
    }

    static func unreadable(_ path: String, _ error: any Error) -> ReaderFailure {
        ReaderFailure("\(path): the file cannot be read", owner: FaultOwner(error) ?? .picture)
    }

    /// Creates the failure of a reading of a picture's bytes, which are decoded where nobody else owns it: no reader can
    /// read what is no picture.
    init(_ error: any Error, reading bytes: [UInt8], name: String) {
        self = error as? ReaderFailure ?? ReaderFailure("", owner: FaultOwner(error))
        if !(error is ReaderFailure) { description = error.systemReason }
        guard owner == nil else { return }
        do throws(ImageCodecError) { _ = try ImageCodec.decode(bytes, name: name) } catch {
            let isSame = error.description == description
            switch error.fault {
            // What this program lacks to decode it, a user's reader may have.
            case .missing, .notStarted: owner = isSame ? .machine : nil
            default: owner = .picture
            }
            if owner == .picture, !isSame { description += "; \(error)" }
        }
    }

    /// A reading that took too long.
    package static func silent(seconds: Double) -> ReaderFailure {
        ReaderFailure("\(silence) \(NumberText.short(seconds)) s")
    }

    private static let silence = "no answer within"

    /// Whether a reading failed for this reason because it took too long.
    static func isTimeout(_ reason: String) -> Bool { reason.hasPrefix(silence) }
}

extension FaultOwner {
    /// Returns the owner of an error; nil where it may be anybody's.
    init?(_ error: any Error) {
        guard let owner = (error as? ReaderFailure)?.owner ?? Self(errno: error.systemErrorNumber) else { return nil }
        self = owner
    }
}

/// JSON of a reader: its name, or its answer about a picture.
package struct ReaderAnswer: Sendable {
    private struct Head: Decodable {
        struct Ready: Decodable {
            var name: String?
            var version: String?
        }

        var ready: Ready?
        var id: Int?
    }

    private struct Body: Decodable {
        struct Book: Decodable {
            var title: String
            var author: String?
            var isbn: String?
        }

        var lines: [Prediction.Line]?
        /// Lines without anything else.
        var text: String?
        var stages: [String: Double]?
        var work: [String: Int]?
        var book: Book?
        /// Whether it has the field `book`, be it null: such a reader names books.
        var namesBooks: Bool
        var error: String?

        private enum CodingKeys: CodingKey { case lines, text, stages, work, book, error }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            if let texts = try? fields.decode([String].self, forKey: .lines), let first = texts.first {
                let line = "{\"text\": \"\(first.prefix(40))\"}"
                let fault =
                    "a line is an object, such as \(line), and not a text; a reader of texts alone answers \"text\""
                throw DecodingError.dataCorruptedError(forKey: .lines, in: fields, debugDescription: fault)
            }
            lines = try fields.decodeIfPresent([Prediction.Line].self, forKey: .lines)
            text = try fields.decodeIfPresent(String.self, forKey: .text)
            stages = try fields.decodeIfPresent([String: Double].self, forKey: .stages)
            work = try fields.decodeIfPresent([String: Int].self, forKey: .work)
            book = try fields.decodeIfPresent(Book.self, forKey: .book)
            error = try fields.decodeIfPresent(String.self, forKey: .error)
            namesBooks = fields.contains(.book)
        }
    }

    /// Longest text of a picture, in bytes.
    package static let longestText = 256 << 10
    /// Corners and times are at most this, either way: pixels of the largest picture, and milliseconds.
    private static let largest = 1e6
    private static let mostStages = 50

    private let head: Result<Head, ReaderFailure>
    private let json: Data

    /// Reads what begins and ends as a JSON object; nil for anything else.
    ///
    /// Invalid UTF-8 becomes U+FFFD; a fault within the object is thrown by ``prediction()``.
    package init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes.withoutByteOrderMark, as: UTF8.self).trimmingCharacters(
            in: .whitespacesAndNewlines
        )
        guard text.hasPrefix("{"), text.hasSuffix("}") else { return nil }
        json = Data(text.utf8)
        head = Result { [json] () throws(ReaderFailure) in try Self.decoded(Head.self, from: json) }
    }

    /// Reads the JSON of a reading, which answers no request.
    package init(reading json: [UInt8]) { (self.json, head) = (Data(json), .success(Head())) }

    private static func decoded<Part: Decodable>(_ type: Part.Type, from json: Data) throws(ReaderFailure) -> Part {
        do { return try JSONDecoder().decode(type, from: json) } catch {
            // Of what is not JSON, and of a number that does not fit, Foundation says neither what nor where.
            var reason = error.systemReason
            if case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty {
                reason = "a number does not fit its field"
            }
            do throws(JSONFault) { _ = try JSONParser.parse(Array(json)) } catch { reason = "\(error)" }
            throw ReaderFailure("invalid answer: \(reason)")
        }
    }

    /// Number of the request; nil without a valid one.
    var id: Int? { (try? head.get())?.id }

    /// Why it can be no answer, as it is not JSON or its `id` no whole number; nil when it may be one.
    var problem: String? { if case .failure(let failure) = head { failure.description } else { nil } }

    /// "RapidOCR 3.10" of a ready message; nil for an answer.
    package var reader: String? {
        (try? head.get())?.ready.map { ready in
            let parts = [ready.name, ready.version].compactMap { $0?.withoutControls.prefix(100) }
            return parts.isEmpty ? "without a name" : parts.joined(separator: " ")
        }
    }

    /// Returns the reading; control characters of its texts become U+FFFD, or a space.
    ///
    /// - Throws: `ReaderFailure` when the reader reports an error, or a field is missing or invalid.
    package func prediction() throws(ReaderFailure) -> Prediction { try outcome().get() }

    /// Returns the reading, or the error that the reader reports.
    ///
    /// - Throws: `ReaderFailure` when a field is missing or invalid.
    package func outcome() throws(ReaderFailure) -> Result<Prediction, ReaderFailure> {
        func invalid(_ problem: String) -> ReaderFailure { ReaderFailure("invalid answer: \(problem)") }
        _ = try head.get()
        let body = try Self.decoded(Body.self, from: json)
        if let error = body.error?.prefix(1_000) {
            return .failure(ReaderFailure("the reader reports: \(error)", owner: FaultOwner(reason: String(error))))
        }
        guard let lines = body.lines ?? body.text.map(Prediction.lines(of:)) else {
            throw invalid("\"lines\" is missing")
        }
        for confidence in lines.compactMap(\.confidence) where !(0...1).contains(confidence) {
            throw invalid("confidence \(confidence); expected 0 to 1")
        }
        for corner in lines.compactMap(\.quad).flatMap(\.corners) where max(abs(corner.x), abs(corner.y)) > Self.largest
        {
            throw invalid("a corner at \(corner.x), \(corner.y); expected pixels of the picture")
        }
        for (name, time) in body.stages ?? [:] where !(0...Self.largest).contains(time) {
            throw invalid("stage \(name.prefix(100)) of \(time) ms; expected 0 to \(NumberText.short(Self.largest))")
        }
        guard body.stages?.count ?? 0 <= Self.mostStages else { throw invalid("more than \(Self.mostStages) stages") }
        for (name, number) in body.work ?? [:] where !WorkCounts.range.contains(number) {
            throw invalid("work \(name.prefix(100)) is \(number); expected 0 to 2^53")
        }
        let work =
            body.work?.map { name, number in (WorkCounts.Key(name.withoutControls), number, name.prefix(100)) } ?? []
        if let unknown = work.first(where: { $0.0 == nil }) {
            let kinds = Work.allCases.map(\.rawValue).joined(separator: ", ")
            throw invalid("work \"\(unknown.2)\"; expected one of \(kinds), also with :NETWORK behind it")
        }
        guard work.count <= Self.mostStages else { throw invalid("more than \(Self.mostStages) counts of work") }
        let book = body.book.map { [$0.title, $0.author ?? "", $0.isbn ?? ""] } ?? []
        guard (lines.map(\.text) + book).reduce(0, { $0 + $1.utf8.count + 1 }) <= Self.longestText else {
            throw invalid("more than \(Self.longestText >> 10) KB of text")
        }
        var prediction = Prediction(
            lines: lines.map { .init(text: $0.text.withoutControls, confidence: $0.confidence, quad: $0.quad) }
        )
        for (name, milliseconds) in (body.stages ?? [:]).sorted(by: { $0.key < $1.key }) {
            prediction.stages[Stage("\(name.withoutControls.prefix(100)) (reported)", .compute)] = milliseconds
        }
        if body.work != nil {
            prediction.work = WorkCounts(
                Dictionary(work.compactMap { key, number, _ in key.map { ($0, number) } }) { $1 }
            )
        }
        prediction.answer = body.book.map { book in
            BookCandidate(
                title: book.title.withoutControls,
                authors: book.author.map { [$0.withoutControls] } ?? [],
                isbn: book.isbn?.withoutControls
            )
        }
        if body.namesBooks { prediction.books = [prediction.answer].compactMap(\.self) }
        return .success(prediction)
    }
}

extension String {
    /// The text with a space for each tab and line break, and U+FFFD for any other control character.
    package var withoutControls: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    guard scalar.properties.generalCategory == .control else { return scalar }
                    return scalar.properties.isWhitespace ? " " : "\u{FFFD}"
                }
            )
        )
    }
}

/// A line of a reader that is not a message, with what to do about it.
struct StrayLine: Sendable {
    /// The beginning of the line, safe to show.
    let text: String
    let remedy: String
    private let plain: String

    /// `problem`: of a line that looks like JSON.
    init(_ line: [UInt8], problem: String? = nil) {
        // A zero byte is in every second place of UTF-16.
        let isWide = line.contains(0)
        plain = String(decoding: line.filter { $0 != 0 }.prefix(4_096), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        text = String(plain.withoutControls.prefix(200))
        remedy =
            if isWide {
                "it is UTF-16: print UTF-8"
            } else if plain.contains("\u{1B}") || plain.contains("\u{9B}") {
                "it has colours (ANSI sequences): switch them off, for example with NO_COLOR=1"
            } else if plain.contains("{'") {
                "it is Python's own form: print json.dumps(…)"
            } else if let problem {
                problem
            } else if plain == "{" || plain.hasPrefix("\"") {
                "each message is JSON on one line: json.dumps without indent"
            } else if plain.contains("{") {
                "the JSON stands alone on its line: print logs and progress to standard error"
            } else {
                "print what is not an answer to standard error"
            }
    }

    /// Whether it was meant as a message, as it has one of these fields.
    func mentions(_ fields: String...) -> Bool {
        fields.contains { plain.contains("\"\($0)\"") || plain.contains("'\($0)'") }
    }
}
