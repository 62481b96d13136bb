public import Foundation

/// Readings of pictures by an app, as they are in a file: JSON lines, a header and then one reading each.
///
/// `Recorder` writes the file, and `spinebench score` reads it.
public struct Recording: Sendable, Equatable {
    /// First line: what read, and where.
    public struct Header: Sendable, Equatable, Codable {
        /// A program with its version.
        public struct Program: Sendable, Equatable, Codable {
            /// "my-app".
            public var name: String
            /// "2.1".
            public var version: String

            /// Creates a name with a version.
            public init(name: String, version: String) { (self.name, self.version) = (name, version) }
        }

        /// The device that read.
        public struct Device: Sendable, Equatable, Codable {
            /// The system's name of the model: "iPhone17,1".
            public var model: String
            /// "iOS 26.1".
            public var os: String
            /// Name of the processor; nil when the system has none.
            public var processor: String?
            /// True in a simulator, whose times are those of a computer; nil on a device.
            public var simulator: Bool?

            /// Creates a device from its names.
            public init(model: String, os: String, processor: String? = nil, simulator: Bool? = nil) {
                (self.model, self.os, self.processor, self.simulator) = (model, os, processor, simulator)
            }
        }

        /// The app that reads, as its bundle names it.
        public struct App: Sendable, Equatable, Codable {
            /// "org.example.my-app"; nil without a bundle.
            public var identifier: String?
            /// Version and build: "2.1 (347)"; nil without a bundle.
            public var version: String?
            /// SHA-256 of the program, as 64 hexadecimal digits; nil when unknown.
            public var digest: String?

            /// Creates an app from its names and its program's digest.
            public init(identifier: String? = nil, version: String? = nil, digest: String? = nil) {
                (self.identifier, self.version, self.digest) = (identifier, version, digest)
            }
        }

        /// Version of the format: 1.
        public var readings = 1
        /// The reader that was measured.
        public var system: Program
        /// Where it ran.
        public var device: Device
        /// The program that measured.
        public var recorder: Program
        /// ISO 8601.
        public var started: String
        /// The app that read; nil in recordings of version 1.
        public var app: App?

        /// Creates the header of a recording.
        public init(system: Program, device: Device, recorder: Program, started: String, app: App? = nil) {
            (self.system, self.device, self.recorder, self.started) = (system, device, recorder, started)
            self.app = app
        }
    }

    /// Last line of a signed recording.
    public struct Signature: Sendable, Equatable, Codable {
        /// Public key: SubjectPublicKeyInfo in base64.
        public var key: String
        /// ECDSA over SHA-256 of all bytes before this line: DER in base64.
        public var signature: String
    }

    /// A line of text as it was read.
    public struct Line: Sendable, Equatable, Codable {
        /// Text, as it was read.
        public var text: String
        /// 0…1, as the reader reports it; nil when it reports none.
        public var confidence: Double?
        /// Four corners `[x, y]` in pixels of the picture, clockwise from the text's top left; nil without a place.
        public var quad: [[Double]]?

        /// Creates a line of text.
        public init(_ text: String, confidence: Double? = nil, quad: [[Double]]? = nil) {
            (self.text, self.confidence, self.quad) = (text, confidence, quad)
        }
    }

    /// A book as it was named.
    public struct Book: Sendable, Equatable, Codable {
        /// Title, as the reader names it.
        public var title: String
        /// Author; nil when the reader names none.
        public var author: String?
        /// ISBN; nil when the reader names none.
        public var isbn: String?

        /// Creates a book from what identifies it.
        public init(title: String, author: String? = nil, isbn: String? = nil) {
            (self.title, self.author, self.isbn) = (title, author, isbn)
        }
    }

    /// State of heat of a device, as Apple's systems name it.
    public enum Thermal: String, Sendable, Codable {
        case nominal, fair, serious, critical
    }

    /// Reading of a picture: the answer or the error, and what it took.
    public struct Reading: Sendable, Equatable, Codable {
        /// The sample's id in the dataset; nil when the picture is named by `image`.
        public var sample: String?
        /// The picture's path in the dataset; nil when it is named by `sample`.
        public var image: String?
        /// Counted from 1.
        public var repetition: Int
        /// In reading order; nil when the reading failed.
        public var lines: [Line]?
        /// The book that the reader named; nil when it named none.
        public var book: Book?
        /// Milliseconds by stage, as the reader reports them.
        public var stages: [String: Double]?
        /// Why the reading failed; nil when it did not.
        public var error: String?
        /// Milliseconds from the picture to the answer or the error.
        public var latency: Double?
        /// Memory of the app after the reading, in MB (10⁶ bytes) above that at the start of the recorder.
        public var memory: Double?
        /// Highest memory during the reading, in MB above the start of the recorder.
        public var memoryPeak: Double?
        /// State of heat after the reading; nil when unknown.
        public var thermal: Thermal?
        /// Joules; nil when not measured.
        public var energy: Double?
        /// Charge of the battery after the reading, 0…1; nil when unknown.
        public var battery: Double?
        /// SHA-256 of the picture's file, as 64 hexadecimal digits; nil when it was not named.
        public var picture: String?
        /// Number of the process that recorded it, from 1.
        public var session: Int?
        /// Begin and end, in nanoseconds since the recorder of the session was made, by a clock that is never set.
        public var began: Int64?
        /// See `began`.
        public var ended: Int64?

        /// Creates a reading without figures.
        public init(
            sample: String? = nil,
            image: String? = nil,
            repetition: Int = 1,
            lines: [Line]? = nil,
            error: String? = nil
        ) {
            (self.sample, self.image, self.repetition) = (sample, image, repetition)
            (self.lines, self.error) = (lines, error)
        }
    }

    /// First line.
    public var header: Header
    /// In the order of the file.
    public var readings: [Reading]
    /// Bytes up to the end of the last whole line of the readings: what follows was cut off while it was written, or is the
    /// signature.
    public var wholeBytes: Int
    /// Nil when nobody signed it.
    public var signature: Signature?

    /// Reads a recording.
    ///
    /// A last line without its end was cut off while it was written, and is left out.
    ///
    /// - Throws: `RecordingError` for a file without a header, of another version, or with an invalid line.
    public init(_ data: Data) throws {
        wholeBytes = data.lastIndex(of: 0x0A).map { $0 - data.startIndex + 1 } ?? 0
        let lines = data.prefix(wholeBytes).split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
        guard let first = lines.first else { throw RecordingError(line: 1, reason: "the header is missing") }
        header = try Self.decode(Header.self, from: first, line: 1)
        guard header.readings == 1 else {
            throw RecordingError(line: 1, reason: "\"readings\" is \(header.readings); expected 1")
        }
        readings = []
        if let last = lines.last, let signature = try? JSONDecoder().decode(Signature.self, from: last) {
            self.signature = signature
            wholeBytes -= last.count + 1
        }
        for (index, line) in lines.enumerated().dropFirst()
        where !line.isEmpty && index < lines.count - (signature == nil ? 0 : 1) {
            let reading = try Self.decode(Reading.self, from: line, line: index + 1)
            if let reason = reading.fault { throw RecordingError(line: index + 1, reason: reason) }
            readings.append(reading)
        }
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, from line: Data, line number: Int) throws -> Value
    {
        do { return try JSONDecoder().decode(type, from: line) } catch {
            throw RecordingError(line: number, reason: reason(of: error))
        }
    }

    private static func reason(of error: any Error) -> String {
        let path = { (context: DecodingError.Context) in context.codingPath.map(\.stringValue).joined(separator: ".") }
        switch error {
        case DecodingError.keyNotFound(let key, _): return "\"\(key.stringValue)\" is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            return "\"\(path(context))\": \(context.debugDescription)"
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            return "\"\(path(context))\": \(context.debugDescription)"
        default: return "invalid JSON"
        }
    }

    /// Returns a value as a line of a recording, with its end.
    public static func line(of value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + [0x0A]
    }
}

extension Recording.Reading {
    /// Why these values cannot be a reading; nil when they can.
    fileprivate var fault: String? {
        if (sample ?? image) == nil { return "\"sample\" or \"image\" is missing" }
        if repetition < 1 { return "\"repetition\" is \(repetition); expected 1 or more" }
        if lines == nil, error == nil { return "\"lines\" or \"error\" is missing" }
        for line in lines ?? [] {
            if let confidence = line.confidence, !(0...1).contains(confidence) {
                return "confidence \(confidence); expected 0 to 1"
            }
            if let quad = line.quad, quad.count != 4 || quad.contains(where: { $0.count != 2 }) {
                return "\"quad\": expected four corners [x, y]"
            }
        }
        if let battery, !(0...1).contains(battery) { return "\"battery\" is \(battery); expected 0 to 1" }
        for (name, value) in [("latency", latency), ("energy", energy)] {
            if let value, value < 0 { return "\"\(name)\" is \(value); expected 0 or more" }
        }
        return nil
    }
}

/// Fault of a line of a recording.
public struct RecordingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Counted from 1.
    public var line: Int
    /// What is wrong, with the value.
    public var reason: String

    /// Creates the fault of a line, counted from 1.
    public init(line: Int, reason: String) { (self.line, self.reason) = (line, reason) }

    /// Message with the line and the reason.
    public var description: String { "line \(line): \(reason)" }
}
