import BookCatalogue
import Foundation
import GRDB
import TestSupport
import Testing

@testable import CaptureSpace
@testable import Captures

/// The store of sessions: states, children, pictures, copies.
@Suite struct CaptureStoreTests {
    static let noon = Date(timeIntervalSince1970: 1_790_000_000)

    static func capture(_ kind: ItemKind = .image, picture: String? = "picture", session: UUID? = nil) -> NewCapture {
        var new = NewCapture(kind: kind, capturedAt: noon)
        new.picture = picture.map { Data($0.utf8) }
        new.sessionID = session
        return new
    }

    @Test func aCaptureBeginsASessionAndWaits() throws {
        let store = try CaptureStore.inMemory()
        let item = try store.capture(Self.capture())
        #expect(item.state == .queued)
        #expect(try store.sessions(limit: 10).map(\.id) == [item.sessionID])
        #expect(try store.picture(.original, of: item.id) == Data("picture".utf8))
        #expect(try store.startNext()?.item.id == item.id)
        #expect(try store.startNext() == nil)
        #expect(try store.item(item.id)?.state == .processing)
    }

    @Test func capturingTheSameTwiceChangesNothing() throws {
        let store = try CaptureStore.inMemory()
        let new = Self.capture()
        try store.capture(new)
        try store.capture(new)
        #expect(try store.counts() == (1, 1, 1))
        let files = try store.pictureFiles()
        #expect(files.named == files.present && files.named.count == 1)
    }

    @Test func anUnknownSessionIsRefusedAndLeavesNoPicture() throws {
        let store = try CaptureStore.inMemory()
        let id = UUID()
        #expect(throws: CaptureFault.noSession(id)) { try store.capture(Self.capture(session: id)) }
        #expect(try store.counts() == (0, 0, 0))
        #expect(try store.pictureFiles().present.isEmpty)
    }

    @Test func aStateThatCannotFollowIsRefused() throws {
        let store = try CaptureStore.inMemory()
        let item = try store.capture(Self.capture())
        #expect(throws: CaptureFault.badState(item.id, from: .queued, to: .ready)) {
            try store.update(item.id) { $0.state = .ready }
        }
        #expect(try store.item(item.id)?.state == .queued)
    }

    @Test func aReplacedPictureGoesAndOneOfADeletedItemIsNotKept() throws {
        let store = try CaptureStore.inMemory()
        let item = try store.capture(Self.capture())
        let cut = { (text: String) in [PictureRole.cutout: NewPicture(Data(text.utf8), ending: "png")] }
        try store.update(item.id, pictures: cut("one")) { $0.title = "a" }
        try store.update(item.id, pictures: cut("two")) { $0.title = "b" }
        #expect(try store.picture(.cutout, of: item.id) == Data("two".utf8))
        #expect(try store.pictureFiles().present.count == 2)
        #expect(try store.delete(item: item.id))
        #expect(try store.update(item.id, pictures: cut("three")) { $0.title = "c" } == nil)
        #expect(try store.pictureFiles().present.isEmpty)
        #expect(try store.counts() == (0, 0, 0))
    }

    @Test func childrenAreKnownByTheirKeysAndNoneGoes() throws {
        let store = try CaptureStore.inMemory()
        let parent = try store.capture(Self.capture())
        try store.keepChildren(
            of: parent.id,
            [("qr:a", .qrCode, { $0.url = "https://a.example" }), ("book:1", .book, { $0.title = "Emma" })]
        )
        try store.keepChildren(of: parent.id, [("qr:a", .qrCode, { $0.title = "A" })])
        let children = try store.children(of: parent.id)
        #expect(children.map(\.title) == ["A", "Emma"])
        #expect(children[0].url == "https://a.example")
    }

    /// The original lost place contexts and items without an address.
    @Test func aCopyHasEveryFieldPictureAndVector() throws {
        let store = try CaptureStore.inMemory()
        let parent = try store.capture(Self.capture())
        try store.keepChildren(of: parent.id, [("qr:a", .qrCode, { $0.url = "https://a.example" })])
        try store.keep(vectors: [(parent.id, [1, 2, 3, 4])], space: "letters")
        _ = try store.startNext()
        try store.update(parent.id) { item in
            item.state = .ready
            item.title = "Café"
            item.summary = "A café."
            item.statements = ["Visiting a café."]
            item.purposes = ["Dining"]
            item.tags = ["Food"]
            item.labels = ["object": 0.5]
            item.media.themes = ["coffee"]
            item.coordinate = Coordinate(latitude: 48.2, longitude: 16.4)
            var place = PlaceContext()
            (place.name, place.tips) = ("Central", ["Try the cake"])
            let weather = WeatherContext(condition: "Sunny", temperatureCelsius: 24, symbolName: "sun.max")
            item.answer(.place, Facts(placeContext: place, weatherContext: weather))
            item.note(ItemEvent(at: Self.noon, stage: "read", outcome: "nothing", seconds: 0.1))
        }
        try store.update(session: parent.sessionID) { $0.title = "Vienna" }
        let copy = try store.duplicate(session: parent.sessionID, at: Self.noon)
        #expect(copy.title == "Copy of Vienna")
        let old = try store.items(of: parent.sessionID)
        let new = try store.items(of: copy.id)
        try #require(old.count == 2 && new.count == 2)
        #expect(new[1].parentID == new[0].id)
        for (old, new) in zip(old, new) {
            var expected = old
            (expected.id, expected.sessionID, expected.parentID) = (new.id, copy.id, new.parentID)
            expected.copyOf = old.id
            #expect(new == expected)
            #expect(new.id != old.id)
        }
        #expect(try store.picture(.original, of: new[0].id) == Data("picture".utf8))
        let vectors = try store.vectors(of: "letters")
        #expect(vectors.filter { $0.item == new[0].id }.map(\.values) == [[1, 2, 3, 4]])
        // The picture is one file; it outlives the original.
        try store.delete(session: parent.sessionID)
        #expect(try store.picture(.original, of: new[0].id) == Data("picture".utf8))
        try store.delete(session: copy.id)
        #expect(try store.pictureFiles().present.isEmpty)
        #expect(try store.counts() == (0, 0, 0))
    }

    @Test func whatIsLookedAtAgainKeepsWhatIsKnown() throws {
        let store = try CaptureStore.inMemory()
        let item = try store.capture(Self.capture())
        _ = try store.startNext()
        try store.update(item.id) { ($0.state, $0.title) = (.ready, "Known") }
        #expect(try store.reprocess(session: item.sessionID) == 1)
        #expect(try store.item(item.id)?.state == .queued)
        #expect(try store.item(item.id)?.title == "Known")
    }

    @Test func whatAKilledProcessReadWaitsAgainAndOneHasTheLock() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "context-\(UUID().uuidString)").path
        defer {
            for end in ["", "-wal", "-shm", ".lock", ".pictures", ".reserve"] {
                try? FileManager.default.removeItem(atPath: path + end)
            }
        }
        let store = try CaptureStore(path: path)
        let item = try store.capture(Self.capture())
        _ = try store.startNext()
        var lock = try store.beginProcessing()
        #expect(lock != nil)
        #expect(try store.item(item.id)?.state == .queued)
        #expect(try store.beginProcessing() == nil)
        lock = nil
        #expect(try store.beginProcessing() != nil)
        // A picture that a killed process left is swept; files of others, or of a later state, stay.
        let pictures = URL(filePath: path + ".pictures")
        let own = try store.pictureName(ending: "jpg")
        let parts = own.split(separator: "-", maxSplits: 2)
        let later = "\(parts[0])-\(try store.revision() + 9)-\(parts[2])"
        let foreign = "other-1-\(parts[2])"
        for name in [own, own + ".partial", later, foreign, "holiday.jpg"] {
            try Data().write(to: pictures.appending(path: name))
        }
        try FileManager.default.createDirectory(at: pictures.appending(path: "mine"), withIntermediateDirectories: true)
        let present = try CaptureStore(path: path).pictureFiles().present
        #expect(present.subtracting(try store.pictureFiles().named) == [later, foreign, "holiday.jpg", "mine"])
        #expect(present.count == 5)
    }

    @Test func conceptsAreKnownWhateverTheCase() throws {
        let store = try CaptureStore.inMemory()
        try store.keep(UserConcept(name: "Coffee", weight: 1))
        try store.keep(UserConcept(name: "coffee", definition: "A drink.", weight: 2))
        let kept = try store.concepts()
        #expect(kept.map(\.name) == ["coffee"] && kept.map(\.definition) == ["A drink."] && kept.map(\.weight) == [2])
        #expect(try store.forget(concept: "COFFEE"))
        #expect(try store.concepts().isEmpty)
    }

    @Test func aFileOfSomethingElseIsLeftAsItIs() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "other-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("no database".utf8).write(to: URL(filePath: path))
        let error = #expect(throws: StoreError.self) { try CaptureStore(path: path) }
        #expect("\(error as Any)".contains("not a store of sessions"))
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("no database".utf8))
    }

    /// A store of a program before the first release is refused and left as it is, with the way out.
    @Test func anEarlierStoreIsRefused() throws {
        let folder = try TemporaryFolder()
        let path = folder("old.sqlite")
        try DatabaseQueue(path: path).write { database in
            try database.execute(
                sql: "CREATE TABLE grdb_migrations (identifier TEXT); CREATE TABLE captureSession (id)"
            )
        }
        let before = try Data(contentsOf: URL(filePath: path))
        let error = #expect(throws: StoreError.self) { try CaptureStore(path: path) }
        #expect("\(error as Any)".contains("earlier version") && "\(error as Any)".contains("export"))
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
}

/// A source's newer answer never loses what it said before.
@Suite struct SourceAnswerTests {
    /// Returns the facts of a source that said one thing and then another.
    private func kept(_ known: Facts, then newer: Facts) -> Facts {
        var answers = [SourceAnswer(source: .link, facts: known)]
        answers.keep(SourceAnswer(source: .link, facts: newer))
        return Facts(folding: answers)
    }

    @Test(arguments: [
        // known, newer, kept
        ("Emma", "Untitled", "Emma"), ("Emma", "", "Emma"), ("Untitled", "Emma", "Emma"),
        ("Central", "https://example.org/x", "Central"), ("Café Central", "14 Herrengasse, Vienna", "Café Central"),
        ("example.org", "14", "14"), ("Emma", "Persuasion", "Persuasion"),
    ])
    func aWeakTitleNeverReplacesABetterOne(known: String, newer: String, kept title: String) {
        #expect(kept(Facts(title: known), then: Facts(title: newer)).title == title)
    }

    @Test func aVenueIsNotReplacedByItsAddress() {
        let venue = Facts(location: "Café Central")
        #expect(kept(venue, then: Facts(location: "14 Herrengasse, Vienna")).location == "Café Central")
    }

    @Test func listsAreUnitedAndNothingIsLost() {
        var known = Facts(categories: ["Food"], price: 3, rating: 4.5)
        known.webContext = WebContext(textContent: "text")
        let both = kept(known, then: Facts(categories: ["food", "Drink"], webContext: WebContext()))
        #expect(both.categories.map { $0.lowercased() } == ["food", "drink"])
        #expect(both.webContext?.textContent == "text")
        #expect(both.price == 3 && both.rating == 4.5)
        #expect(kept(both, then: Facts()) == both)
    }

    /// A person's book is the book; what sources said of another one is left out, and what they say of it completes it.
    @Test func aBookThatAPersonNamesIsNotMixedWithAnother() {
        let read = Facts(BookContext(title: "Emma", authors: ["Jane Austen"], year: 1815, confidence: 0.9))
        var other = read
        other.descriptionText = "About Emma."
        var answers = [SourceAnswer(source: .picture, facts: read)]
        answers.keep(SourceAnswer(source: .catalogue, facts: other))
        answers.keep(SourceAnswer(source: .user, facts: Facts(BookContext(title: "Dune", isbn: "9780441172719"))))
        #expect(Facts(folding: answers).bookContext == BookContext(title: "Dune", isbn: "9780441172719"))
        #expect(Facts(folding: answers).title == "Dune" && Facts(folding: answers).descriptionText == nil)
        let dune = BookContext(title: "Dune", authors: ["Frank Herbert"], isbn: "9780441172719", year: 1990)
        answers.keep(SourceAnswer(source: .catalogue, facts: Facts(dune)))
        #expect(Facts(folding: answers).bookContext == dune)
    }
}
