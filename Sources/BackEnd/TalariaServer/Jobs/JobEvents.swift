import Foundation
import Talaria

/// Writes down what jobs tell, and wakes their streams.
struct JobEvents: Sendable {
    var store: JobStore
    var signals: JobSignals
    var now: @Sendable () -> Date

    /// - Parameters:
    ///   - event: to be sent.
    ///   - type: of its id; the event's name when nil.
    /// - Returns: the event as it is stored.
    /// - Throws: `EncodingError` where a number is not finite.
    func stored(_ event: ScanEvent, type: String? = nil) throws -> JobEvent {
        let milliseconds = Int64((now().timeIntervalSince1970 * 1_000).rounded())
        return JobEvent(
            sequence: 0,
            id: "\(milliseconds)-\(type ?? event.name)",
            name: event.name,
            data: String(decoding: try event.data(), as: UTF8.self)
        )
    }

    /// Adds an event of a job that goes on.
    ///
    /// - Parameters:
    ///   - event: to be sent.
    ///   - job: its id.
    ///   - progress: of the job from now on, 0…1.
    /// - Throws: the database's error.
    func send(_ event: ScanEvent, of job: String, progress: Double) async throws {
        try await store.add(stored(event), to: job, progress: progress)
        signals.notify(job)
    }
}
