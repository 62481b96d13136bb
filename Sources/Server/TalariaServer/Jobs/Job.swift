import Basics
import Foundation
import GRDB
import HTTPServer
import Talaria

/// A batch of photos that a device sent to be read.
struct Job: Sendable, Equatable, Codable, FetchableRecord, PersistableRecord {
    enum State: String, Sendable, Codable {
        case queued
        case processing
        case completed
        case failed
        case canceled
        /// Finished, and removed but for its idempotency key: a delayed request must not create it again.
        case cleaned

        var isFinal: Bool { self != .queued && self != .processing }
    }

    /// A UUID in lower case.
    var id: String
    /// The device that sent it, and the only one that may see it.
    var device: String
    var state = State.queued
    var photos: Int
    var created: Date
    /// nil while it is open.
    var finished: Date?
    /// The client's name for the request that made it.
    var idempotencyKey: String?
    /// Digest of all photos: the same request sent twice has the same.
    var digest: String
    /// Time between the first byte of the request and the answer, in milliseconds.
    var uploadMilliseconds: Int
    /// 0…1.
    var progress = 0.0

    /// Its address, as clients ask for it.
    var path: String { "/v3/jobs/scans/\(id)" }
}

/// A picture of a job, as long as the job is open (S2-44).
struct Picture: Codable, FetchableRecord, PersistableRecord {
    var job: String
    /// Place among the job's photos, from 0.
    var number: Int
    var bytes: Data
}

struct JobEvent: Sendable, Equatable, Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "event"

    /// Place among all events of the server; nil until it is saved.
    var sequence: Int64?
    var job: String
    /// `<milliseconds>-<type>`; may repeat.
    var id: String
    var name: String
    /// Data as one line of JSON.
    var data: String

    /// The event as a stream has it.
    var bytes: [UInt8] { ServerSentEvent(name: name, text: data, id: id).encoded() }
    var milliseconds: Int64? { Self.milliseconds(of: id) }

    static func milliseconds(of id: String) -> Int64? { id.split(separator: "-").first.flatMap { Int64($0) } }
}

extension TalariaServer {
    /// Returns the stored form of an event; its id has the event's name where no type is given.
    func stored(_ event: ScanEvent, of job: String, type: String? = nil) throws -> JobEvent {
        let milliseconds = Int64((now().timeIntervalSince1970 * 1_000).rounded())
        return JobEvent(
            job: job,
            id: "\(milliseconds)-\(type ?? event.name)",
            name: event.name,
            data: String(decoding: try event.data(), as: UTF8.self)
        )
    }

    /// Adds an event of a job; false when the job is over.
    func send(_ event: ScanEvent, of job: String, progress: Double) async throws -> Bool {
        defer { signals.notify(job) }
        return try await store.add(stored(event, of: job), progress: progress)
    }
}

/// The secret that opens a job's stream and results: 64 hexadecimal digits, of which the server keeps only a hash.
struct JobToken: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "token"

    var hash: String
    var job: String
    var expires: Date

    /// Returns the text of a new token.
    static func random() -> String { (0..<32).map { _ in UInt8.random(in: 0...255) }.hexadecimal }

    /// Returns the database's form of a token.
    static func hash(of text: String) -> String { SHA256.hex(of: Data(text.utf8)) }
}
