import BookCatalogue
import CaptureSpace
import Foundation
import GRDB
import TestSupport
import Testing

@testable import CaptureReading
@testable import Captures

/// Rows that another program or a bad disk damaged: each fails alone, and can be deleted.
@Suite(.inTurns) struct DamagedRowTests {
    @Test(arguments: [
        "body = '{'", "body = '{}'", "body = '[1]'", "body = 7", "body = x'00ff'", "title = x'00', body = ''",
    ])
    func aDamagedWaitingRowFailsAndTheOthersAreProcessed(change: String) async throws {
        let store = try CaptureStore.inMemory()
        let items = try ["One", "Two", "Three"].map { try store.captured($0) }
        try store.damage("UPDATE item SET \(change) WHERE id = ?", [items[1].id])
        #expect(try store.recent(limit: 9).count == 3)
        try await store.process()
        #expect(try items.map { try store.item($0.id)?.state } == [.ready, .failed, .ready])
        #expect(try store.item(items[1].id)?.lastError?.contains("damaged") == true)
        #expect(try store.counts().unfinished == 0 && store.sessions(limit: 9).map(\.failed).reduce(0, +) == 1)
        #expect(try store.days(limit: 9, calendar: .current).count == 1)
        #expect(try store.delete(item: items[1].id))
        #expect(try store.counts() == (2, 2, 0))
    }

    @Test func aDamagedRowIsDeletedBeforeItIsProcessed() throws {
        let store = try CaptureStore.inMemory()
        let (first, second) = (try store.captured("One"), try store.captured("Two"))
        try store.damage("UPDATE item SET body = '{'")
        #expect(try store.delete(item: first.id) && store.delete(session: second.sessionID))
        #expect(try store.counts() == (0, 0, 0))
    }

    /// An item that cannot be named is not taken again and again.
    @Test(arguments: ["'not-a-uuid'", "123", "x'0001'"])
    func anItemWithADamagedIdEnds(id: String) async throws {
        let store = try CaptureStore.inMemory()
        let (first, second) = (try store.captured("One"), try store.captured("Two"))
        try store.damage("UPDATE item SET id = \(id) WHERE id = ?", [first.id])
        try await store.process()
        #expect(try store.item(second.id)?.state == .ready && !store.isWaiting(at: Date()))
        #expect(try await store.memory.find("two").contains { $0.item == second.id })
    }

    @Test func aSearchGoesOnBesideADamagedRow() async throws {
        let store = try CaptureStore.inMemory()
        let (first, second) = (try store.captured("One"), try store.captured("Two"))
        try store.damage("UPDATE item SET body = x'00ff00' WHERE id = ?", [first.id])
        try store.damage("INSERT INTO concept (name, definition, weight) VALUES ('a', x'00', 'heavy')")
        #expect(try await store.memory.find("two").contains { $0.item == second.id })
        #expect(try store.concepts().isEmpty)
    }

    @Test func aDamagedSessionIsListedAndDeleted() throws {
        let store = try CaptureStore.inMemory()
        let (first, second) = (try store.captured("One"), try store.captured("Two"))
        try store.damage("UPDATE session SET body = '[]' WHERE id = ?", [second.sessionID])
        let titles = try store.sessions(limit: 9).map { ($0.id, $0.session.title) }
        #expect(titles.count == 2 && titles.contains { $0 == (second.sessionID, "Damaged session") })
        #expect(try store.delete(session: second.sessionID))
        #expect(try store.sessions(limit: 9).map(\.id) == [first.sessionID])
    }

    /// Only files of the folder of pictures are removed.
    @Test(arguments: ["", ".", "..", "../victim.txt", "a/b.jpg"])
    func aDamagedNameOfAPictureRemovesNothing(name: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("thesis", "victim.txt")
        let store = try CaptureStore(path: folder("s.sqlite"))
        let item = try store.capture(CaptureStoreTests.capture())
        let other = try store.capture(CaptureStoreTests.capture(picture: "another"))
        try store.damage("UPDATE picture SET file = ? WHERE itemID = ?", [name, item.id])
        #expect(throws: CaptureFault.self) { try store.picture(.original, of: item.id) }
        #expect(try store.delete(item: item.id))
        #expect(try store.picture(.original, of: other.id) == Data("another".utf8))
        #expect(folder.contains("victim.txt"))
    }

    /// The reserve replaces no link and nothing behind one.
    @Test func aLinkInTheReservesPlaceStays() throws {
        let folder = try TemporaryFolder()
        try folder.write("precious", "precious")
        let (link, file) = (folder("s.sqlite.reserve"), folder("precious"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        _ = try CaptureStore(path: folder("s.sqlite"))
        #expect(try folder.text(of: "precious") == "precious")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
    }

    @Test func aMissingPictureFailsItsItemAlone() async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.capture(CaptureStoreTests.capture())
        let other = try store.captured("Two")
        store.pictures.remove(try #require(item.pictures[.original]))
        try await store.process()
        #expect(try store.item(item.id)?.state == .failed && store.item(other.id)?.state == .ready)
        #expect(try store.item(item.id)?.lastError?.contains("its picture") == true)
        #expect(try store.delete(session: item.sessionID))
    }

    @Test func aCaptureAndItsCopiesAreOneInTheStoryOfTheDay() async throws {
        let store = try CaptureStore.inMemory()
        let item = try store.captured("Buy milk")
        try await store.process()
        let before = try #require(try store.days(limit: 1, calendar: .current).first)
        let copy = try store.duplicate(session: item.sessionID, at: Date())
        try store.duplicate(session: copy.id, at: Date())
        let after = try #require(try store.days(limit: 1, calendar: .current).first)
        #expect(after.captures == 1 && after.text == before.text)
        // A copy counts when its original is deleted.
        try store.delete(session: item.sessionID)
        #expect(try store.days(limit: 1, calendar: .current).first?.captures == 1)
    }
}
