public import Foundation

/// Records an app's readings of pictures on the device, and what they take, in a file for `spinebench score`.
///
///     let dataset = try DatasetBundle(named: "spines-1", in: bundle)
///     let recorder = try Recorder(file: file, system: .init(name: "my-app", version: "2.1"))
///     for sample in dataset.samples {
///         try await recorder.measure(sample.id, picture: dataset.url(of: sample)) {
///             Recorder.Answer(lines: try await reader.read(dataset.url(of: sample)).map { .init($0.text) })
///         }
///     }
///     try recorder.sign(key: key.publicKey.derRepresentation) { try key.signature(for: $0).derRepresentation }
///
/// Each reading is in the file before the next one begins. A recorder that opens the file of an earlier one continues it,
/// and `measure` then skips what is in it. Measure one picture at a time: the figures are those of the whole app. The
/// first reading includes what the app loads for it; read a picture before, unless that is to be measured.
public final class Recorder: Sendable {
    /// What a reader says of a picture.
    public struct Answer: Sendable, Equatable {
        /// In reading order.
        public var lines: [Recording.Line]
        /// The book that it named; nil when it named none.
        public var book: Recording.Book?
        /// Milliseconds by stage, by the reader's own clock.
        public var stages: [String: Double]?

        /// Creates an answer.
        public init(lines: [Recording.Line], book: Recording.Book? = nil, stages: [String: Double]? = nil) {
            (self.lines, self.book, self.stages) = (lines, book, stages)
        }
    }

    /// The recording's first line.
    public let header: Recording.Header
    private let log: ReadingLog
    private let memoryAtStart: Double?
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant

    /// Opens a file for readings, or creates it.
    ///
    /// Create the recorder before the reader is loaded: memory counts from here.
    ///
    /// - Throws: `RecorderError` for a file of another system or device; `RecordingError` for one that is not a recording;
    ///   errors of the file system.
    public init(
        file: URL,
        system: Recording.Header.Program,
        device: Recording.Header.Device = .current,
        app: Recording.Header.App = .current
    ) throws {
        start = clock.now
        memoryAtStart = AppConditions.memory()
        let header = Recording.Header(
            system: system,
            device: device,
            recorder: .init(name: "SpineBenchKit", version: "2"),
            started: ISO8601DateFormatter().string(from: Date()),
            app: app
        )
        (log, self.header) = try ReadingLog.open(file, header: header)
    }

    /// Whether a reading of a sample is in the file.
    public func isRecorded(_ sample: String, repetition: Int = 1) -> Bool {
        log.contains(.init(sample: sample, repetition: repetition))
    }

    /// Measures a reading, and writes it to the file.
    ///
    /// The latency is the time of `read`, which gets from the picture to its answer. An error of `read` is recorded as
    /// the reading's result. What is in the file already is not read again.
    ///
    /// - Parameters:
    ///   - sample: Id of the sample in the dataset.
    ///   - repetition: Number of this reading of the sample, from 1.
    ///   - picture: File of the picture, whose digest is recorded, after the reading; nil for none.
    ///   - read: Reads the picture.
    /// - Returns: the reading; nil when it was in the file already.
    /// - Throws: `CancellationError` when the task is cancelled; errors of the file system.
    @discardableResult
    public nonisolated(nonsending) func measure(
        _ sample: String,
        repetition: Int = 1,
        picture: URL? = nil,
        _ read: nonisolated(nonsending) () async throws -> Answer
    ) async throws -> Recording.Reading? {
        try Task.checkCancellation()
        guard !isRecorded(sample, repetition: repetition) else { return nil }
        var reading = Recording.Reading(sample: sample, repetition: repetition)
        let peak = MemoryPeak()
        let began = clock.now
        let result: Result<Answer, any Error>
        do { result = .success(try await read()) } catch { result = .failure(error) }
        let ended = clock.now
        let (memory, most) = (AppConditions.memory(), peak.end())
        switch result {
        case .success(let answer):
            (reading.lines, reading.book, reading.stages) = (answer.lines, answer.book, answer.stages)
        case .failure(let error):
            if error is CancellationError { throw error }
            reading.error = String("\(error)".prefix(1_000))
        }
        reading.latency = Self.rounded(began.duration(to: ended) / .milliseconds(1))
        reading.session = log.session
        (reading.began, reading.ended) = (nanoseconds(until: began), nanoseconds(until: ended))
        reading.picture = try picture.map { Digest.hex(of: try Data(contentsOf: $0)) }
        let aboveStart = { [memoryAtStart] (bytes: Double?) in
            memoryAtStart.flatMap { start in bytes.map { Self.rounded(($0 - start) / 1_000_000) } }
        }
        (reading.memory, reading.memoryPeak) = (aboveStart(memory), aboveStart(most))
        reading.thermal = AppConditions.thermal()
        reading.battery = await AppConditions.battery()
        try log.append(reading)
        return reading
    }

    /// Signs what is in the file: its last line says so, and a further reading removes that line.
    ///
    /// A suite that names the key has the figures for measured on the device; keep the private key in the device's Secure
    /// Enclave, or elsewhere outside the app.
    ///
    /// - Parameters:
    ///   - key: Public key for P-256: SubjectPublicKeyInfo in DER, CryptoKit's `publicKey.derRepresentation`.
    ///   - sign: Returns the signature of these bytes, ECDSA over SHA-256, in DER: CryptoKit's
    ///     `signature(for:).derRepresentation`.
    /// - Throws: errors of `sign` and of the file system.
    public func sign(key: Data, _ sign: (Data) throws -> Data) throws { try log.sign(key, sign) }

    private func nanoseconds(until instant: ContinuousClock.Instant) -> Int64 {
        Int64(start.duration(to: instant) / .nanoseconds(1))
    }

    private static func rounded(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }
}

/// Why a file cannot be continued.
public enum RecorderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// It is of another system, device or app: the path, what is in the file, and what was to be recorded.
    case differs(path: String, found: String, wanted: String)

    /// Message with the file, both systems and the remedy.
    public var description: String {
        switch self {
        case .differs(let path, let found, let wanted):
            "\(path) is a recording of \(found), not of \(wanted); use another file, or remove this one"
        }
    }
}

/// The file of a recording, and what is in it.
private final class ReadingLog: @unchecked Sendable {
    struct Key: Hashable {
        var sample: String
        var repetition: Int
    }

    // The lock protects both.
    private let lock = NSLock()
    private let file: FileHandle
    private var recorded: Set<Key>
    /// Where the signature begins; nil without one.
    private var signedBytes: UInt64?
    /// Number of this process, from 1.
    let session: Int

    private init(_ file: FileHandle, _ recorded: Set<Key>, session: Int) {
        (self.file, self.recorded, self.session) = (file, recorded, session)
    }

    /// Opens a file, cuts off a half-written last line, and writes the header where there is none.
    static func open(_ url: URL, header: Recording.Header) throws -> (ReadingLog, Recording.Header) {
        let data = FileManager.default.fileExists(atPath: url.path) ? try Data(contentsOf: url) : Data()
        let isNew = !data.contains(0x0A)
        let recording = isNew ? nil : try Recording(data)
        if let found = recording?.header,
            (found.system, found.device) != (header.system, header.device) || found.app != header.app
        {
            throw RecorderError.differs(path: url.path, found: name(of: found), wanted: name(of: header))
        }
        if data.isEmpty { try Data().write(to: url, options: .withoutOverwriting) }
        let file = try FileHandle(forUpdating: url)
        try file.truncate(atOffset: UInt64(recording?.wholeBytes ?? 0))
        let keys = recording?.readings.map { Key(sample: $0.sample ?? $0.image ?? "", repetition: $0.repetition) }
        let session = (recording?.readings.compactMap(\.session).max() ?? 0) + 1
        let log = ReadingLog(file, Set(keys ?? []), session: session)
        if isNew { try log.write(header) }
        return (log, recording?.header ?? header)
    }

    private static func name(of header: Recording.Header) -> String {
        let app = header.app.map { [$0.version, $0.digest.map { "sha256:\($0.prefix(12))" }].compactMap(\.self) } ?? []
        return "\(header.system.name) \(header.system.version) on \(header.device.model), \(header.device.os)"
            + (app.isEmpty ? "" : " (app \(app.joined(separator: ", ")))")
    }

    func contains(_ key: Key) -> Bool { lock.withLock { recorded.contains(key) } }

    func append(_ reading: Recording.Reading) throws {
        try lock.withLock {
            try write(reading)
            recorded.insert(Key(sample: reading.sample ?? "", repetition: reading.repetition))
        }
    }

    func sign(_ key: Data, _ sign: (Data) throws -> Data) throws {
        try lock.withLock {
            try removeSignature()
            try file.seek(toOffset: 0)
            let message = try file.readToEnd() ?? Data()
            let signature = try sign(message).base64EncodedString()
            try write(Recording.Signature(key: key.base64EncodedString(), signature: signature))
            signedBytes = UInt64(message.count)
        }
    }

    private func removeSignature() throws {
        if let signedBytes { try file.truncate(atOffset: signedBytes) }
        signedBytes = nil
    }

    private func write(_ value: some Encodable) throws {
        try removeSignature()
        try file.seekToEnd()
        try file.write(contentsOf: try Recording.line(of: value))
        try file.synchronize()
    }

    deinit { try? file.close() }
}
