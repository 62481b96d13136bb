import BookCatalogue
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Captures

extension CaptureStore {
    /// Captures a note.
    func captured(_ text: String, name: String = "n.txt", at time: Date = Date()) throws -> CapturedItem {
        try captured(Array(text.utf8), name: name, at: time)
    }

    func captured(_ bytes: [UInt8], name: String = "c.png", at time: Date = Date()) throws -> CapturedItem {
        try #require(try capture(CaptureIntake.capture(bytes, name: name, at: time)))
    }

    func captured(address: String) throws -> CapturedItem {
        try #require(try capture(CaptureIntake.capture(address: address, at: Date())))
    }

    /// Processes what waits, with codes alone and these sources.
    func process(_ sources: [any EnrichmentProvider] = []) async throws {
        let pipeline = CapturePipeline(
            store: self,
            processor: IntelligenceProcessor(search: nil),
            enricher: Enricher(sources, clock: ManualClock())
        )
        try await pipeline.processAll(turn: try #require(try beginProcessing()))
    }

    /// Names of the files of all pictures: those of rows, and those in the folder.
    func pictureFiles() throws -> (named: Set<String>, present: Set<String>) {
        let named = try read { Set(try String.fetchAll($0, sql: "SELECT file FROM picture")) }
        let present = (try? FileManager.default.contentsOfDirectory(atPath: pictures.url(of: "").path)) ?? []
        return (named, Set(present.filter { $0 != "lock" }))
    }
}
