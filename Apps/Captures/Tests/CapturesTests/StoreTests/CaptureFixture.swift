import BookCatalogue
import CaptureSpace
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import Captures

/// Source whose answers are given, and which notes its questions.
final class Source: EnrichmentProvider {
    typealias Answer = @Sendable (_ query: EnrichmentQuery, _ asked: Int) async throws -> Facts?

    let id: SourceID
    let limit: Duration
    private let needs: @Sendable (EnrichmentQuery) -> Bool
    private let answer: Answer
    private let noted = Mutex<[EnrichmentQuery]>([])

    /// `answer`: by the question, and how often another one was asked before; `limit`: as long as a whole run of tests may
    /// take, as threads are few there.
    init(
        _ id: SourceID,
        limit: Duration = .seconds(3_600),
        needs: @escaping @Sendable (EnrichmentQuery) -> Bool = { _ in true },
        answer: @escaping Answer
    ) {
        (self.id, self.limit, self.needs, self.answer) = (id, limit, needs, answer)
    }

    convenience init(
        _ id: SourceID,
        needs: @escaping @Sendable (EnrichmentQuery) -> Bool = { _ in true },
        _ facts: Facts = Facts()
    ) {
        self.init(id, needs: needs) { _, _ in facts }
    }

    var queries: [EnrichmentQuery] { noted.withLock { $0 } }

    func applies(to query: EnrichmentQuery) -> Bool { needs(query) }

    func enrich(_ query: EnrichmentQuery) async throws -> Facts? {
        let asked = noted.withLock { noted in
            defer { noted.append(query) }
            return noted.count
        }
        return try await answer(query, asked)
    }
}

extension CaptureStore {
    /// Captures a note.
    @discardableResult
    func captured(
        _ text: String,
        name: String = "n.txt",
        at time: Date = Date(),
        in session: UUID? = nil
    ) throws -> CapturedItem {
        try captured(Array(text.utf8), name: name, at: time, in: session)
    }

    @discardableResult
    func captured(
        _ bytes: [UInt8],
        name: String = "c.png",
        at time: Date = Date(),
        in session: UUID? = nil
    ) throws -> CapturedItem {
        try captured(CaptureIntake.capture(bytes, name: name, at: time), in: session)
    }

    @discardableResult
    func captured(address: String, in session: UUID? = nil) throws -> CapturedItem {
        try captured(CaptureIntake.capture(address: address, at: Date()), in: session)
    }

    private func captured(_ new: NewCapture, in session: UUID?) throws -> CapturedItem {
        var new = new
        new.sessionID = session
        return try capture(new)
    }

    /// Processes what waits, with codes alone and these sources.
    func process(_ sources: [any EnrichmentProvider] = [], memory: CaptureMemory? = nil) async throws {
        let pipeline = CapturePipeline(
            store: self,
            processor: IntelligenceProcessor(search: nil),
            enricher: Enricher(sources, clock: ManualClock()),
            memory: memory
        )
        try await pipeline.processAll(lock: try #require(try beginProcessing()))
    }

    /// Memory with the installed model.
    var memory: CaptureMemory { CaptureMemory(over: self) }

    /// Changes rows as a bad disk may.
    func damage(_ sql: String, _ arguments: StatementArguments = []) throws {
        try write { try $0.execute(sql: sql, arguments: arguments) }
    }

    /// Names of the files of all pictures: those of rows, and those in the folder.
    func pictureFiles() throws -> (named: Set<String>, present: Set<String>) {
        let named = try read { Set(try String.fetchAll($0, sql: "SELECT file FROM picture")) }
        let present = (try? FileManager.default.contentsOfDirectory(atPath: pictures.url(of: "").path)) ?? []
        return (named, Set(present.filter { $0 != "lock" }))
    }
}
