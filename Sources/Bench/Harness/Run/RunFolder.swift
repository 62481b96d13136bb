import Basics
package import Evaluation
package import Foundation
package import SpineDatasets

/// The folder of one run: its configuration, its records as they come, and its reports.
package struct RunFolder: Sendable {
    package let path: String
    private let samples: FileHandle
    private let events: FileHandle

    package enum Name {
        package static let configuration = "config.json"
        package static let samples = "samples.jsonl"
        package static let events = "events.jsonl"
        package static let devices = "devices.json"
        /// The result, which is written when the run ends.
        package static let report = "report.json"
    }

    /// Returns a new folder for a run; throws when it already contains one or cannot be written.
    package static func create(
        _ path: String,
        _ configuration: RunConfiguration,
        part: Part? = nil
    ) throws -> RunFolder {
        let stored = Stored(digest: try configuration.digest, part: part, configuration: configuration)
        return try create(path, stored, isAlone: part != nil)
    }

    /// Returns the folder of a run's part: a new one, or that of an earlier process that was stopped.
    ///
    /// - Throws: while another process writes to it, or when it has another run or part.
    package static func begin(_ part: Part, of configuration: RunConfiguration, at path: String) throws -> RunFolder {
        ignoreFileSizeSignal()
        guard FileManager.default.fileExists(atPath: "\(path)/\(Name.configuration)") else {
            return try create(path, configuration, part: part)
        }
        let stored = try stored(in: path)
        guard stored.part == part else {
            let found = stored.part.map { "part \($0)" } ?? "a whole run"
            throw HarnessError.runFolder(
                path: path,
                problem: "contains \(found), not part \(part); name another folder"
            )
        }
        guard try configuration.digest == stored.configuration.digest else {
            throw HarnessError.resumeMismatch(
                path: path,
                differences: configuration.differences(from: stored.configuration)
            )
        }
        return try RunFolder(path, isAlone: true)
    }

    /// Returns a new folder for the records of a comparison, which cannot be resumed as a run.
    package static func create(_ path: String, _ configuration: ComparisonConfiguration) throws -> RunFolder {
        try create(path, ["comparison": configuration])
    }

    private static func create(
        _ path: String,
        _ configuration: some Encodable,
        isAlone: Bool = false
    ) throws -> RunFolder {
        ignoreFileSizeSignal()
        let manager = FileManager.default
        if manager.fileExists(atPath: "\(path)/\(Name.configuration)")
            || manager.fileExists(atPath: "\(path)/\(Name.samples)")
        {
            throw HarnessError.runFolder(
                path: path,
                problem: "already contains a run; continue it with --resume, or specify another folder"
            )
        }
        do {
            try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
            try write(Data(JSONFile.bytes(configuration)), Name.configuration, path)
        } catch let error as HarnessError {
            throw error
        } catch {
            throw notMade(path, error)
        }
        return try RunFolder(path, isAlone: isAlone)
    }

    /// Returns the folder of a run that was stopped.
    package static func open(_ path: String) throws -> (folder: RunFolder, configuration: RunConfiguration) {
        ignoreFileSizeSignal()
        let configuration = try configuration(in: path)
        return (try RunFolder(path), configuration)
    }

    package struct Contents: Sendable {
        package var configuration: RunConfiguration
        /// Part of the run that was read; nil for all of it.
        package var part: Part?
        package var records: [SampleRecord]
        package var events: [RunEvent]
    }

    /// Reads the folder of a run, and changes nothing in it.
    package static func contents(_ path: String) throws -> Contents {
        let stored = try stored(in: path)
        return Contents(
            configuration: stored.configuration,
            part: stored.part,
            records: records(in: path),
            events: events(in: path)
        )
    }

    /// The configuration of a run, in its folder or its report.json, or of the run that a part belongs to.
    package static func configuration(in path: String) throws -> RunConfiguration { try stored(in: path).configuration }

    /// Part of a run that a folder holds; nil for a whole run.
    package static func part(in path: String) throws -> Part? { try stored(in: path).part }

    /// Reads the events of a run's folder beside readings, without changing it.
    package static func events(in path: String) -> [RunEvent] {
        lines(of: "\(path)/\(Name.events)").compactMap { JSONLine.decode(RunEvent.self, from: $0) }
    }

    /// Reads the readings of a run's folder; of two of one reading, which a resumed run may leave, the later one counts.
    private static func records(in path: String) -> [SampleRecord] {
        let lines = lines(of: "\(path)/\(Name.samples)")
        var (records, places) = ([SampleRecord](), [SampleRecord.Key: Int]())
        // An array that grows takes three times the room while it is copied.
        records.reserveCapacity(lines.count)
        for line in lines {
            guard let record = SampleRecord.decoded(line) else { continue }
            if let place = places[record.key] {
                records[place] = record
            } else {
                places[record.key] = records.count
                records.append(record)
            }
        }
        return records
    }

    private static func lines(of file: String) -> [Data] {
        FileManager.default.contents(atPath: file)?.split(separator: 0x0A) ?? []
    }

    private static func stored(in path: String) throws -> Stored {
        let file = path.hasSuffix(".json") ? path : "\(path)/\(Name.configuration)"
        guard let data = FileManager.default.contents(atPath: file) else {
            throw HarnessError.runFolder(path: path, problem: "contains no run: \(Name.configuration) is missing")
        }
        do {
            return try JSONDecoder().decode(Stored.self, from: data)
        } catch {
            throw HarnessError.runFolder(
                path: path,
                problem: "\(file): \(error.systemReason); start a new run"
            )
        }
    }

    /// A write beyond a limit on the sizes of files is to fail, not to end this process.
    package static func ignoreFileSizeSignal() { signal(SIGXFSZ, SIG_IGN) }

    private init(_ path: String, isAlone: Bool = false) throws {
        self.path = path
        if isAlone, Self.isBeingWritten(path) { throw HarnessError.busy(path: path) }
        samples = try Self.appending(to: "\(path)/\(Name.samples)")
        events = try Self.appending(to: "\(path)/\(Name.events)")
        // A shared lock blocks no other process: it only reports that a process writes here.
        // The system releases it when this process ends in any way. File systems without locks report nothing.
        if flock(events.fileDescriptor, (isAlone ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0, isAlone, errno == EWOULDBLOCK {
            throw HarnessError.busy(path: path)
        }
    }

    /// Returns whether a process writes to the run in this folder now, as far as the file system reports it.
    package static func isBeingWritten(_ path: String) -> Bool {
        guard let events = FileHandle(forReadingAtPath: "\(path)/\(Name.events)") else { return false }
        defer { try? events.close() }
        // Refused while another process holds the lock; the handle releases a granted one.
        return flock(events.fileDescriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Appends a record at once: killing the harness does not lose it, and a full disk leaves the record before as the
    /// last.
    func append(_ record: SampleRecord) throws { try append(record, to: samples, Name.samples) }

    func append(_ event: RunEvent) throws { try append(event, to: events, Name.events) }

    /// Writes a run whose readings were made elsewhere; `facts` are what is known of each measurement, by its id.
    package func write(_ records: [SampleRecord], host: HostDescription, facts: [String: [String: String]]) throws {
        let planned = Dictionary(grouping: records, by: \.measurement).mapValues(\.count)
        try append(RunEvent(kind: .runStarted, host: host, planned: planned))
        for record in records { try append(record) }
        for (measurement, facts) in facts.sorted(by: { $0.key < $1.key }) {
            try append(RunEvent(kind: .ready, measurement: measurement, description: facts))
            try append(RunEvent(kind: .measured, measurement: measurement))
        }
        try append(RunEvent(kind: .runFinished))
    }

    /// Appends all of a line or nothing.
    private func append(_ value: some Encodable, to handle: FileHandle, _ name: String) throws {
        if let problem = appendWhole(try JSONLine.encode(value), to: handle.fileDescriptor) {
            throw HarnessError.storage(path: "\(path)/\(name)", problem: problem)
        }
    }

    /// Returns the records so far.
    package func records() -> [SampleRecord] { Self.records(in: path) }

    package func recordedEvents() -> [RunEvent] { Self.events(in: path) }

    /// Returns a handle at the end of the file, without a last line that was cut off when the harness was killed.
    private static func appending(to file: String) throws -> FileHandle {
        let descriptor = openedForUpdate(file)
        guard descriptor >= 0 else {
            let (number, reason) = (errno, String(cString: strerror(errno)))
            if noRoom.contains(number) { throw HarnessError.storage(path: file, problem: reason) }
            throw HarnessError.runFolder(path: file, problem: "cannot be written: \(reason)")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let data = try handle.readToEnd() ?? Data()
        let whole = data.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        try handle.truncate(atOffset: UInt64(whole))
        try handle.seek(toOffset: UInt64(whole))
        return handle
    }

    /// Errors after which another try may have more luck.
    private static let noRoom: Set<Int32> = [ENOSPC, EDQUOT, EIO]

    static func notMade(_ path: String, _ error: any Error) -> HarnessError {
        let number = (error as? CocoaError)?.systemErrorNumber
        return number.map(noRoom.contains) == true
            ? .storage(path: path, problem: error.systemReason)
            : .runFolder(path: path, problem: "cannot be made: \(error.systemReason)")
    }

    package static func write(_ data: Data, _ name: String, _ folder: String) throws {
        do {
            try data.write(to: URL(filePath: "\(folder)/\(name)"), options: .atomic)
        } catch {
            throw HarnessError.storage(path: "\(folder)/\(name)", problem: error.systemReason)
        }
    }

    /// Writes all files that can be written; throws with the paths of the others.
    package static func write(_ files: [String: [UInt8]], to folder: String) throws {
        var (paths, reason) = ([String](), "")
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            do {
                try write(Data(bytes), name, folder)
            } catch HarnessError.storage(let path, let problem) {
                (paths, reason) = (paths + [path], problem)
            }
        }
        if !paths.isEmpty { throw HarnessError.storage(path: paths.joined(separator: ", "), problem: reason) }
    }

    private struct Stored: Codable {
        /// Of `config.json`; a `report.json` has another key for it.
        var digest: String?
        var part: Part?
        var configuration: RunConfiguration
    }
}

/// Returns a descriptor of a file, which is made where it is not there; below 0 with the reason in `errno`.
private func openedForUpdate(_ path: String) -> Int32 { open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644) }

/// Appends all of a line or nothing; returns the system's reason when it does not fit (Foundation's error lacks it).
private func appendWhole(_ line: Data, to file: Int32) -> String? {
    let end = lseek(file, 0, SEEK_CUR)
    var written = 0
    while written < line.count {
        let count = line.withUnsafeBytes { write(file, $0.baseAddress?.advanced(by: written), $0.count - written) }
        if count > 0 {
            written += count
        } else if errno != EINTR {
            let problem = String(cString: strerror(errno))
            _ = ftruncate(file, end)
            _ = lseek(file, end, SEEK_SET)
            return problem
        }
    }
    return nil
}
