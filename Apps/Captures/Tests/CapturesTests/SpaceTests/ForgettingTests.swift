import Foundation
import TestSupport
import Testing

@testable import Captures

/// Deleted captures leave nothing in the store's files.
@Suite struct ForgettingTests {
    /// Words of one of many notes, which the index for words and the journal have had, too.
    @Test(arguments: [false, true]) func wordsOfADeletedNoteAreGone(withSession: Bool) async throws {
        let folder = try TemporaryFolder()
        let store = try CaptureStore(path: folder("s.sqlite"))
        let others = try (0..<50).map { try store.captured("Note \($0) about gardens and rivers") }
        var new = try CaptureIntake.capture(Array("Xylographer Quetzalcoatl".utf8), name: "n.txt", at: Date())
        new.sessionID = withSession ? nil : others[0].sessionID
        let item = try store.capture(new)
        try await store.process()
        func isHeld() throws -> Bool {
            try FileManager.default.subpathsOfDirectory(atPath: folder("")).contains { path in
                let text = String(
                    decoding: (try? Data(contentsOf: URL(filePath: folder(path)))) ?? Data(),
                    as: UTF8.self
                )
                return ["xylographer", "quetzalcoatl"].contains { text.lowercased().contains($0) }
            }
        }
        #expect(try isHeld())
        #expect(try withSession ? store.delete(session: item.sessionID) : store.delete(item: item.id))
        if !withSession {
            let pipeline = CapturePipeline(
                store: store,
                processor: IntelligenceProcessor(search: nil),
                enricher: Enricher([])
            )
            try await pipeline.describe(session: item.sessionID)
            store.forgetWords()
        }
        #expect(try !isHeld())
    }
}
