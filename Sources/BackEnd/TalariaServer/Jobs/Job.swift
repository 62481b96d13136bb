import Foundation
import GRDB

/// A batch of photos that a device sent to be read.
struct Job: Sendable, Equatable, Codable, FetchableRecord, PersistableRecord {
    /// Progress of a job.
    enum State: String, Sendable, Codable, CaseIterable {
        case queued
        case processing
        case completed
        case failed
        case canceled
        /// Over, and removed but for its idempotency key: a request that was held up on its way must not make it anew.
        case cleaned

        /// Whether nothing more will happen to it.
        var isFinal: Bool { self != .queued && self != .processing }
    }

    /// A UUID in lower case.
    var id: String
    /// The device that sent it, and the only one that may see it.
    var device: String
    var state: State
    /// Of the photos.
    var photos: Int
    var created: Date
    /// nil while it is open.
    var finished: Date?
    /// The client's name for the request that made it.
    var idempotencyKey: String?
    /// Over all photos: the same request sent twice has the same.
    var digest: String
    /// Between the first byte of the request and the answer, in milliseconds.
    var uploadMilliseconds: Int
    /// 0…1.
    var progress: Double = 0
}

/// An event of a job as its streams send it.
struct JobEvent: Sendable, Equatable {
    /// Its place among all events of the server.
    var sequence: Int64
    /// `<milliseconds>-<type>`; may repeat.
    var id: String
    var name: String
    /// One line of JSON.
    var data: String
}
