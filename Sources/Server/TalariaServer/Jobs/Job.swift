import Basics
import Foundation
import GRDB
import Talaria

/// A batch of photos that a device sent to be read.
struct Job: Sendable, Equatable, Codable, FetchableRecord, PersistableRecord {
    enum State: String, Sendable, Codable, CaseIterable {
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
    var state: State
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
    var progress: Double = 0
}

struct JobEvent: Sendable, Equatable {
    /// Place among all events of the server.
    var sequence: Int64
    /// `<milliseconds>-<type>`; may repeat.
    var id: String
    var name: String
    /// Data as one line of JSON.
    var data: String
}

extension TalariaServer {
    /// Returns the stored form of an event; its id has the event's name where no type is given.
    func stored(_ event: ScanEvent, type: String? = nil) throws -> JobEvent {
        let milliseconds = Int64((now().timeIntervalSince1970 * 1_000).rounded())
        return JobEvent(
            sequence: 0,
            id: "\(milliseconds)-\(type ?? event.name)",
            name: event.name,
            data: String(decoding: try event.data(), as: UTF8.self)
        )
    }

    func send(_ event: ScanEvent, of job: String, progress: Double) async throws {
        try await store.add(stored(event), to: job, progress: progress)
        signals.notify(job)
    }
}

/// The secret that opens a job's stream and results: 64 hexadecimal digits, of which the server keeps only a hash.
struct JobToken: Sendable {
    let text: String

    init(using generator: inout some RandomNumberGenerator) {
        text = (0..<4).map { _ in
            let part = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - part.count) + part
        }.joined()
    }

    var hash: String { Self.hash(of: text) }

    /// - Returns: the database's form of the right token.
    static func hash(of text: String) -> String { SHA256.hex(of: Data(text.utf8)) }
}
