import Basics
import Foundation
import TestSupport
import Testing

@testable import CaptureSpace
@testable import Captures

/// Search by words and by meaning: what stands literally in a capture is found first.
@Suite struct SearchTests {
    private enum Field { case note, title, page, code, tag, label, book, place, address, file }

    private struct Made {
        var field: Field
        var text: String
        /// Queries that nothing but this capture has.
        var queries: [String]

        init(_ field: Field, _ text: String, _ queries: String...) {
            (self.field, self.text, self.queries) = (field, text, queries)
        }

        func put(_ item: inout CapturedItem) {
            switch field {
            case .note, .file: break
            case .title: item.title = text
            case .page:
                item.said.webContext = WebContext()
                item.said.webContext?.textContent = text
            case .code: item.said.qrContext = QRCodeContext(payload: text)
            case .tag: item.tags = [text]
            case .label: item.labels = [text: 1]
            case .book: item.said.bookContext = BookContext(title: nil, authors: [text])
            case .place:
                item.said.placeContext = PlaceContext()
                item.said.placeContext?.name = text
            case .address: item.url = text
            }
        }
    }

    private static let made = [
        Made(.note, "Neubaugasse 12, second door", "Neubaugasse", "neubaugasse 12", "NEUBAUG", "door Neubaugasse"),
        Made(.note, "Call Müller about the roof", "Müller", "Mueller", "Muller", "müll", "roof müller"),
        Made(.note, "Strasse and Straße are the same street: Lindenstraße", "Lindenstraße", "lindenstrasse", "Linden"),
        Made(.note, "Pay invoice RG-2026-4471", "RG-2026-4471", "rg-2026", "2026-4471"),
        Made(.note, "Ask Ngozi for the tent", "Ngozi", "tent"),
        Made(.note, "Żółw naïve façade", "zolw", "naive", "facade", "FAÇADE"),
        Made(.note, "Mum's quilt, zigzag edge", "quilt", "mum's quilt"),
        Made(.note, "東京駅で待ち合わせ", "東京", "東京駅", "駅"),
        Made(.title, "Wandering whimbrels", "whimbrels", "whimb", "wandering whimbrels"),
        Made(.title, "Kaffeehäuser", "Kaffeehäuser", "kaffeehaeuser", "kaffeehauser"),
        Made(
            .page,
            "An essay on lighthouse keepers of the Faroe Islands, by Jóannes",
            "lighthouse",
            "Faroe",
            "Joannes"
        ),
        Made(.page, "Rhubarb crumble needs an oven of 180 °C for forty minutes", "rhubarb", "crumble", "forty minutes"),
        Made(
            .code,
            "BEGIN:VCARD\nFN:Anna Oberhuber\nTEL:+43 660 1234567\nEND:VCARD",
            "Oberhuber",
            "1234567",
            "anna ober"
        ),
        Made(.code, "4006381333931", "4006381333931", "40063813"),
        Made(.tag, "Shipbuilding", "shipbuilding", "shipb"),
        Made(.tag, "Bookbinding", "bookbinding"),
        Made(.label, "harpsichord", "harpsichord", "Harpsi"),
        Made(.book, "Olga Tokarczuk", "Tokarczuk"),
        Made(.book, "Ödön von Horváth", "Horvath", "Ödön", "Oedoen"),
        Made(.place, "Gasthaus Quell", "Quell", "gasthaus quell"),
        Made(.address, "https://example.org/knitting/mittens?size=7", "mittens", "example.org/knitting"),
        Made(.file, "boarding-pass-OS87.txt", "OS87", "boarding-pass-os87"),
    ]

    /// Among 150 other captures, right after the capture's commit, and again when all have vectors.
    @Test func literalWordsAreFoundFirst() async throws {
        struct Other: Decodable { var text: String }
        let file = Project.folder.appending(path: "Datasets/context-retrieval/items.json")
        let others = try JSONDecoder().decode([Other].self, from: Data(contentsOf: file))
        let store = try CaptureStore.inMemory()
        for (number, other) in others.enumerated() { try store.captured("\(other.text), \(number)") }
        let ids = try Self.made.map { made in
            let isNote = made.field == .note
            let item = try store.captured(isNote ? made.text : "-.", name: made.field == .file ? made.text : "n")
            try store.update(item.id) { made.put(&$0) }
            return item.id
        }
        #expect(Self.made.flatMap(\.queries).count == 58)
        let memory = store.memory
        for isPrepared in [false, true] {
            if isPrepared { while try await memory.prepare() > 0 {} }
            for (made, id) in zip(Self.made, ids) {
                for query in made.queries {
                    let first = try await memory.find(query).first
                    #expect(first?.item == id && first?.match != .meaning, "\(query): \(first?.title ?? "nothing")")
                }
            }
        }
    }

    @Test func aTokenAmongTwoThousandNotesIsFirstAtOnce() async throws {
        let store = try CaptureStore.inMemory()
        let ids = try (0..<2_000).map { try store.captured("Note zq\($0)x of a long day").id }
        let memory = store.memory
        for number in [0, 999, 1_999] {
            let hits = try await memory.find("zq\(number)x")
            #expect(hits.first?.item == ids[number] && hits.count { $0.match != .meaning } == 1)
        }
    }

    /// Whole words come before beginnings, and those before what is only near by meaning.
    @Test func wordsComeBeforeBeginningsAndMeaning() async throws {
        let store = try CaptureStore.inMemory()
        let near = try store.captured("teashop and teatime")
        let begun = try store.captured("a teapot from home")
        let whole = try store.captured("a long letter on other matters, and at last on tea")
        try store.captured("bicycle")
        let memory = store.memory
        while try await memory.prepare() > 0 {}
        let hits = try await memory.find("tea")
        #expect(hits.map(\.item).first == whole.id && hits.map(\.match).first == .words)
        #expect(Set(hits.dropFirst().map(\.item)) == [near.id, begun.id])
        #expect(hits.dropFirst().allSatisfy { $0.match == .beginning })
        let several = try await memory.find("teashop home")
        #expect(several.allSatisfy { $0.match == .meaning } && several.contains { $0.item == near.id })
    }

    /// What was deleted or changed is not found by its old words; what is archived only when asked for.
    @Test func wordsFollowTheStore() async throws {
        let store = try CaptureStore.inMemory()
        let (first, second) = (try store.captured("quokka"), try store.captured("lantern"))
        let memory = store.memory
        func found(_ query: String, archived: Bool = false) async throws -> [UUID] {
            try await memory.find(query, archived: archived).filter { $0.match != .meaning }.map(\.item)
        }
        try store.rename(item: first.id, "walrus")
        #expect(try await found("walrus") == [first.id])
        try store.rename(item: first.id, "heron")
        #expect(try await found("walrus").isEmpty)
        let copy = try store.duplicate(session: second.sessionID, at: Date())
        let both = try store.items(of: second.sessionID) + store.items(of: copy.id)
        #expect(try await Set(found("lantern")) == Set(both.map(\.id)) && both.count == 2)
        try store.delete(session: second.sessionID)
        #expect(try await found("lantern").count == 1)
        _ = try store.startNext()
        try store.update(first.id) { $0.state = .ready }
        try store.archive(session: first.sessionID)
        #expect(try await found("heron").isEmpty)
        #expect(try await found("heron", archived: true) == [first.id])
    }

    /// No query is an error of the search's own language.
    @Test(arguments: [
        "\"", "a AND", "NOT b", "*", "^x", "x:y", "(", "a\u{0}b", "- ?", "'; DROP TABLE item", "NEAR(a b)", "日本 \"",
    ])
    func anyQueryIsText(query: String) async throws {
        let store = try CaptureStore.inMemory()
        try store.captured("a note")
        _ = try await store.memory.find(query)
    }
}
