import Foundation
import SpineDatasets

/// Error of a reading by a command or a service of a user.
package struct ReaderFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }

    /// A reading that took too long.
    package static func silent(seconds: Double) -> ReaderFailure {
        ReaderFailure("\(WorkerFailure.silent(seconds: seconds))")
    }
}

/// Commands of a user as they are started.
package struct ReaderCommand: Sendable {
    /// Line of a shell.
    var line: String
    /// All variables: this process's and those of the user.
    let variables: [String: String]
    /// Seconds for a reading.
    var timeout: Double
    /// Seconds until the command is ready.
    var startTimeout: Double

    /// Receives output that is not an answer.
    var report: @Sendable (String) -> Void

    package init(
        line: String,
        environment: [String: String] = [:],
        timeout: Double,
        startTimeout: Double,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.line, variables) = (line, ProcessInfo.processInfo.environment.merging(environment) { $1 })
        (self.timeout, self.startTimeout, self.report) = (timeout, startTimeout, report)
    }

    /// A shell, which a single command takes the place of.
    var launch: WorkerLaunch {
        let program = String(line.prefix { $0 != " " })
        let isOfShell = program.contains("=") || ["exec", "eval", "!"].contains(program)
        let isSingle = !isOfShell && !line.contains { ";&|<>()`#\n".contains($0) }
        return WorkerLaunch(executable: "/bin/sh", arguments: ["-c", (isSingle ? "exec " : "") + line])
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
        var book: Book?
        var error: String?
    }

    private let head: Head
    private let json: Data

    /// Reads one JSON object; nil for anything else.
    ///
    /// Invalid UTF-8 becomes U+FFFD.
    package init?(_ bytes: [UInt8]) {
        json = Data(String(decoding: bytes, as: UTF8.self).utf8)
        guard let head = JSONLine.decode(Head.self, from: json) else { return nil }
        self.head = head
    }

    /// Reads the JSON of a reading, which answers no request.
    package init(reading json: [UInt8]) { (self.json, head) = (Data(json), Head()) }

    /// Number of the request; nil without one.
    var id: Int? { head.id }

    /// "RapidOCR 3.10" of a ready message; nil for an answer.
    package var reader: String? {
        head.ready.map { ready in
            let parts = [ready.name, ready.version].compactMap { $0?.prefix(100) }
            return parts.isEmpty ? "without a name" : parts.joined(separator: " ")
        }
    }

    /// Returns the reading.
    ///
    /// - Throws: `ReaderFailure` when the reader reports an error, or a field is missing or invalid.
    package func prediction() throws(ReaderFailure) -> Prediction { try outcome().get() }

    /// Returns the reading, or the error that the reader reports.
    ///
    /// - Throws: `ReaderFailure` when a field is missing or invalid.
    package func outcome() throws(ReaderFailure) -> Result<Prediction, ReaderFailure> {
        let body: Body
        do { body = try JSONDecoder().decode(Body.self, from: json) } catch {
            throw ReaderFailure("invalid answer: \(JSONLine.reason(of: error))")
        }
        if let error = body.error { return .failure(ReaderFailure("the reader reports: \(error.prefix(1_000))")) }
        guard let lines = body.lines ?? body.text.map(Prediction.lines(of:)) else {
            throw ReaderFailure("invalid answer: \"lines\" is missing")
        }
        for confidence in lines.compactMap(\.confidence) where !(0...1).contains(confidence) {
            throw ReaderFailure("invalid answer: confidence \(confidence); expected 0 to 1")
        }
        var prediction = Prediction(lines: lines)
        for (name, milliseconds) in (body.stages ?? [:]).sorted(by: { $0.key < $1.key }) {
            prediction.stages[Stage("\(name) (reported)", .compute)] = milliseconds
        }
        prediction.answer = body.book.map { book in
            BookCandidate(title: book.title, authors: book.author.map { [$0] } ?? [], isbn: book.isbn)
        }
        return .success(prediction)
    }
}
