import Foundation
import TestSupport
import Testing

@testable import CaptureReading
@testable import CaptureSpace
@testable import Captures

/// What is said of a made store with all kinds of items: titles, phrases, tags, concepts, sessions, the day.
@Suite struct SaidOfItemsTests {
    private static let noon = Date(timeIntervalSince1970: 1_795_521_600)

    private typealias Change = (inout CapturedItem) -> Void

    /// Captures an item with its facts and those that were found in it, in a session of its own unless one is named.
    @discardableResult
    private func capture(
        _ kind: ItemKind,
        in store: CaptureStore,
        after minutes: Double,
        session: UUID? = nil,
        text: String? = nil,
        url: String? = nil,
        _ change: Change = { _ in },
        children: [(kind: ItemKind, change: Change)] = []
    ) throws -> CapturedItem {
        var new = NewCapture(kind: kind, capturedAt: Self.noon.addingTimeInterval(minutes * 60))
        (new.text, new.url, new.sessionID) = (text, url, session)
        // One that was read is a picture.
        if kind == .image { new.filename = "IMG_1.jpg" }
        let item = try store.capture(new)
        try store.update(item.id, change)
        try store.keepChildren(of: item.id, children.enumerated().map { ("\($0)", $1.kind, $1.change) })
        return item
    }

    private static func code(_ payload: String) -> (kind: ItemKind, change: Change) {
        var code = FoundCode(symbology: .qr, payload: payload, minX: 0, minY: 0, maxX: 1, maxY: 1)
        if payload.allSatisfy(\.isNumber) { code.symbology = .ean13 }
        if payload.hasSuffix("-half") { code.isPartial = true }
        return (code.kind, { code.describe(&$0, in: SceneReading(width: 9, height: 9)) })
    }

    private static func book(_ title: String, _ authors: [String]) -> Change {
        { $0.said.bookContext = BookContext(title: title, authors: authors) }
    }

    private static func spine(_ text: String) -> Change { { $0.media.transcription = text } }

    private func fill(_ store: CaptureStore) throws {
        try capture(.book, in: store, after: 0, Self.book("Emma", ["Jane Austen"]))
        try capture(
            .shelf,
            in: store,
            after: 1,
            { ($0.labels, $0.media.transcription) = (["bookshelf": 0.9], "EMMA\nSTANISLAW\nLEM SOLARIS") },
            children: [
                (.book, Self.book("1984", ["George Orwell"])), (.book, Self.book("Dune", ["Frank Herbert"])),
                (.book, Self.spine("STANISLAW LEM\nSOLARIS 796")), (.book, { _ in }),
            ]
        )
        try capture(.shelf, in: store, after: 2, children: [(.book, Self.spine("ATLES")), (.book, Self.spine("ZEN"))])
        try capture(.book, in: store, after: 3, Self.spine("PENGUIN CLASSICS"))
        try capture(.web, in: store, after: 4, url: "https://example.org/tea") { item in
            let page = WebContext(
                siteName: "Tea Journal",
                textContent: "Tea came with Dutch ships in 1610. The ships of Amsterdam sold tea and silk."
            )
            item.answer(.link, Facts(title: "How Tea Came to Europe", categories: ["Article"], webContext: page))
        }
        try capture(.web, in: store, after: 5, url: "https://example.org/lost")
        try capture(.product, in: store, after: 6, url: "https://shop.example/kettle") { item in
            let page = WebContext(siteName: "Kettles & Co", textContent: "A kettle of copper.")
            item.answer(.link, Facts(title: "Copper Kettle", price: 49, currency: "EUR", webContext: page))
        }
        try capture(.place, in: store, after: 7) { item in
            let place = PlaceContext(name: "Café Central", categories: ["Café"])
            item.answer(.place, Facts(categories: ["Café"], placeContext: place))
        }
        try capture(.media, in: store, after: 8) { item in
            let music = MusicContext(title: "So What", artists: ["Miles Davis"])
            item.answer(.music, Facts(title: "So What", categories: ["Song"], musicContext: music))
        }
        for (number, payload) in [
            "https://example.org/menu", "WIFI:T:WPA;S:Lighthouse;P:secret-1234;;", "9780141439587", "9002490100070",
            "https://keeper:lanternlight@example.org/log", "A plain text in a code", "Half of a text-half",
            "BEGIN:VCARD\nVERSION:3.0\nFN:Anna Berg\nTEL:+43123\nEND:VCARD",
        ].enumerated() {
            try capture(
                .image,
                in: store,
                after: 10 + Double(number),
                { $0.labels = ["code": 37.0 / 38] },
                children: [Self.code(payload)]
            )
        }
        try capture(
            .image,
            in: store,
            after: 20,
            {
                ($0.labels, $0.media.transcription) = (
                    ["code": 37.0 / 38], "Scan to join\nTable 4"
                )
            },
            children: [Self.code("https://example.org/join"), Self.code("https://example.org/more")]
        )
        try capture(.image, in: store, after: 21) {
            ($0.labels, $0.media.transcription) = (
                ["text": 0.97], "GREEN GROCER\nApples 2.10\nBread 3.20\nTotal 5.30"
            )
        }
        try capture(.document, in: store, after: 22) {
            ($0.labels, $0.media.transcription) = (["page": 0.95], "4/12\nANNUAL REPORT\nWe grew in every market.")
        }
        try capture(.image, in: store, after: 23) { $0.labels = ["tabby cat": 0.91] }
        try capture(.image, in: store, after: 24) { $0.labels = ["astronaut": 0.52] }
        try capture(.image, in: store, after: 25) {
            ($0.labels, $0.media.transcription) = (["text": 0.9, "street sign": 0.83], "Neubaugasse")
        }
        try capture(.image, in: store, after: 26)
        try capture(.image, in: store, after: 27) {
            $0.answer(.user, Facts(thing: ThingAnswer(name: "my red mug", confidence: 1)))
            ($0.labels, $0.title) = (["my red mug": 1], "My red mug")
        }
        let note = try capture(.text, in: store, after: 30, text: "Buy milk and a new compiler\nfor the train")
        try capture(
            .text,
            in: store,
            after: 31,
            session: note.sessionID,
            text: "See https://example.org/a for the swift compiler docs"
        )
        try capture(.text, in: store, after: 32, session: note.sessionID, text: "The wifi password is hunter2")
        try capture(.text, in: store, after: 33, text: "Herrengasse 14 is where we meet")
        var broken = try CaptureIntake.capture(
            try DrawnCode.ean13("9780141439587").png(),
            name: "broken.png",
            at: Self.noon
        )
        broken.picture = broken.picture.map { $0.prefix($0.count / 2) }
        broken.capturedAt = Self.noon.addingTimeInterval(34 * 60)
        try store.capture(broken)
    }

    @Test func itIsAsItWasApproved() async throws {
        let store = try CaptureStore.inMemory()
        try store.keep(secrets: ["Herrengasse 14"])
        try fill(store)
        let enricher = Enricher([], clock: ManualClock())
        let pipeline = CapturePipeline(store: store, processor: IntelligenceProcessor(search: nil), enricher: enricher)
        try await pipeline.processAll(lock: try #require(try store.beginProcessing()))
        var lines: [String] = []
        for session in try store.sessions(limit: 99).reversed().map(\.session) {
            lines.append("# \(session.title) | \(session.summary ?? "") | \(session.tags)")
            for item in try store.items(of: session.id) {
                let concepts = ConceptWeight.automatic(from: item).map { "\($0.name) \($0.weight)" }
                lines += [
                    "\(item.parentID == nil ? "" : "  ")\(item.kind.rawValue), \(item.state.rawValue): \(item.title)",
                    "    \(item.statements) | \(item.summary ?? "") | \(item.purposes) \(item.tags) | \(concepts)",
                ]
            }
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let day = try #require(try store.dayInput(of: Self.noon, calendar))
        lines += ["# The day", RuleNarrator().tell(day.input).summary]
        try GoldenFile("said.txt").expect(lines.joined(separator: "\n") + "\n")
    }
}
