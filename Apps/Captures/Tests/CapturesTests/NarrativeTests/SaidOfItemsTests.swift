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
    private typealias Child = (kind: ItemKind, change: Change)

    /// Captures an item a minute after the last one, with its facts and those that were found in it, in a session of its
    /// own unless one is named; one with labels was read off a picture.
    @discardableResult
    private func add(
        _ kind: ItemKind,
        to store: CaptureStore,
        session: UUID? = nil,
        text: String? = nil,
        url: String? = nil,
        labels: [String: Double] = [:],
        children: [Child] = [],
        _ change: Change = { _ in }
    ) throws -> UUID {
        let last = try store.recent(limit: 1).first?.capturedAt ?? Self.noon
        var new = NewCapture(kind: kind, capturedAt: last.addingTimeInterval(60))
        (new.text, new.url, new.sessionID) = (text, url, session)
        if kind == .image { new.filename = "IMG_1.jpg" }
        let item = try store.capture(new)
        try store.update(item.id) { item in
            item.labels = labels
            change(&item)
        }
        try store.keepChildren(of: item.id, children.enumerated().map { ("\($0)", $1.kind, $1.change) })
        return item.sessionID
    }

    private static func code(_ payload: String) -> Child {
        var code = FoundCode(symbology: .qr, payload: payload, minX: 0, minY: 0, maxX: 1, maxY: 1)
        if payload.allSatisfy(\.isNumber) { code.symbology = .ean13 }
        if payload.hasSuffix("-half") { code.isPartial = true }
        return (code.kind, { code.describe(&$0, in: SceneReading(width: 9, height: 9)) })
    }

    private static func book(_ title: String, _ author: String) -> Change {
        { $0.said.bookContext = BookContext(title: title, authors: [author]) }
    }

    private static func spine(_ text: String) -> Child { (.book, { $0.media.transcription = text }) }

    private func fill(_ store: CaptureStore) throws {
        let isCode = ["code": 37.0 / 38]
        try add(.book, to: store, Self.book("Emma", "Jane Austen"))
        let spines = [
            (.book, Self.book("1984", "George Orwell")), (.book, Self.book("Dune", "Frank Herbert")),
            Self.spine("STANISLAW LEM\nSOLARIS 796"), (.book, { _ in }),
        ]
        try add(.shelf, to: store, text: "EMMA\nSTANISLAW\nLEM SOLARIS", labels: ["bookshelf": 0.9], children: spines)
        try add(.shelf, to: store, children: [Self.spine("ATLES"), Self.spine("ZEN")])
        try add(.book, to: store, text: "PENGUIN CLASSICS")
        try add(.web, to: store, url: "https://example.org/tea") { item in
            let text = "Tea came with Dutch ships in 1610. The ships of Amsterdam sold tea and silk."
            let page = WebContext(siteName: "Tea Journal", textContent: text)
            item.answer(.link, Facts(title: "How Tea Came to Europe", categories: ["Article"], webContext: page))
        }
        try add(.web, to: store, url: "https://example.org/lost")
        try add(.product, to: store, url: "https://shop.example/kettle") { item in
            let page = WebContext(siteName: "Kettles & Co", textContent: "A kettle of copper.")
            item.answer(.link, Facts(title: "Copper Kettle", price: 49, currency: "EUR", webContext: page))
        }
        try add(.place, to: store) { item in
            let place = PlaceContext(name: "Café Central", categories: ["Café"])
            item.answer(.place, Facts(categories: ["Café"], placeContext: place))
        }
        try add(.media, to: store) { item in
            let music = MusicContext(title: "So What", artists: ["Miles Davis"])
            item.answer(.music, Facts(title: "So What", categories: ["Song"], musicContext: music))
        }
        for payload in [
            "https://example.org/menu", "WIFI:T:WPA;S:Lighthouse;P:secret-1234;;", "9780141439587", "9002490100070",
            "https://keeper:lanternlight@example.org/log", "A plain text in a code", "Half of a text-half",
            "BEGIN:VCARD\nVERSION:3.0\nFN:Anna Berg\nTEL:+43123\nEND:VCARD",
        ] {
            try add(.image, to: store, labels: isCode, children: [Self.code(payload)])
        }
        let codes = [Self.code("https://example.org/join"), Self.code("https://example.org/more")]
        try add(.image, to: store, text: "Scan to join\nTable 4", labels: isCode, children: codes)
        try add(.image, to: store, text: "GREEN GROCER\nApples 2.10\nBread 3.20\nTotal 5.30", labels: ["text": 0.97])
        try add(.document, to: store, text: "4/12\nANNUAL REPORT\nWe grew in every market.", labels: ["page": 0.95])
        try add(.image, to: store, labels: ["tabby cat": 0.91])
        try add(.image, to: store, labels: ["astronaut": 0.52])
        try add(.image, to: store, text: "Neubaugasse", labels: ["text": 0.9, "street sign": 0.83])
        try add(.image, to: store)
        try add(.image, to: store, labels: ["my red mug": 1]) {
            $0.answer(.user, Facts(thing: ThingAnswer(name: "my red mug", confidence: 1)))
            $0.title = "My red mug"
        }
        let note = try add(.text, to: store, text: "Buy milk and a new compiler\nfor the train")
        try add(.text, to: store, session: note, text: "See https://example.org/a for the swift compiler docs")
        try add(.text, to: store, session: note, text: "The wifi password is hunter2")
        try add(.text, to: store, text: "Herrengasse 14 is where we meet")
        let whole = try DrawnCode.ean13("9780141439587").png()
        var broken = try CaptureIntake.capture(whole, name: "broken.png", at: Self.noon)
        broken.picture = broken.picture.map { $0.prefix($0.count / 2) }
        broken.capturedAt = Self.noon.addingTimeInterval(60 * 60)
        try store.capture(broken)
    }

    @Test func itIsAsItWasApproved() async throws {
        let store = try CaptureStore.inMemory()
        try store.keep(secrets: ["Herrengasse 14"])
        try fill(store)
        try await store.process()
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
        lines += ["# The day", RuleNarrator().narrative(of: day.input).summary]
        try GoldenFile("said.txt").expect(lines.joined(separator: "\n") + "\n")
    }
}
