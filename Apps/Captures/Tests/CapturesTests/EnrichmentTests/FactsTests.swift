import Basics
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Captures

/// Properties of an item's facts, of sources that answer, fail, know less or answer in another order.
@Suite(.inTurns) struct FactsTests {
    private typealias Outcome = Result<Facts?, EnrichmentError>

    private static let ids: [SourceID] = [.music, .weather, .place, .books, .link, .catalogue]

    /// What a source says of the item in a round, which may be nothing, less than before, or something else.
    private static func outcome(_ id: SourceID, _ random: inout SplitMix64) -> Outcome {
        func chance() -> Bool { Bool.random(using: &random) }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .failure(.refused("404"))
        case 1: return .failure(.busy("503"))
        case 2: return .success(nil)
        default: break
        }
        let mark = "\(id.rawValue) \(Int.random(in: 0..<100, using: &random))"
        let title = ["", "Untitled", "https://a.example/", "Title of \(mark)"].randomElement(using: &random)
        var data = Facts()
        if chance() { (data.title, data.descriptionText) = (title, chance() ? "Said by \(mark)." : " ") }
        if chance() { data.categories = ["Class", mark] }
        if chance() { (data.price, data.currency) = (Double.random(in: 1...9, using: &random), "EUR") }
        if chance() { (data.rating, data.image) = (4, "https://a.example/\(mark.count).jpg") }
        switch id {
        case .music: data.musicContext = MusicContext(title: mark, album: chance() ? mark : nil)
        case .weather:
            data.weatherContext = WeatherContext(condition: mark, temperatureCelsius: 3, symbolName: "sun.max")
        case .place:
            data.location = chance() ? "Café \(mark)" : "14 Herrengasse, Vienna"
            data.placeContext = PlaceContext(name: chance() ? mark : nil, tips: chance() ? [mark] : [])
        case .link:
            let text = [nil, "Sign in to continue.", String(repeating: "The text of \(mark). ", count: 40)]
            data.webContext = WebContext(siteName: "a.example", textContent: text.randomElement(using: &random) ?? nil)
        default:
            data.bookContext = BookContext(title: "Emma", authors: chance() ? ["Jane Austen"] : [])
            data.bookContext?.year = chance() ? 1815 : nil
        }
        return .success(data)
    }

    /// Returns the facts after each round; the sources of each answer in a random order, one after the other.
    private func facts(_ rounds: [[SourceID: Outcome]], _ random: inout SplitMix64) async throws -> [Facts] {
        let store = try CaptureStore.inMemory()
        let item = try store.captured(address: "https://a.example/")
        var known: [Facts] = []
        for outcomes in rounds {
            let order = Order(Self.ids.shuffled(using: &random))
            let sources = outcomes.map { id, outcome in
                Source(id) { _, _ in
                    while !order.isNext(id), !Task.isCancelled { try await Task.sleep(for: .milliseconds(1)) }
                    return try outcome.get()
                }
            }
            try await store.process(sources)
            known.append(try #require(try store.item(item.id)).enrichment)
            try store.reprocess(session: item.sessionID)
        }
        return known
    }

    private final class Order: Sendable {
        private let left: Mutex<[SourceID]>
        init(_ ids: [SourceID]) { left = Mutex(ids) }
        func isNext(_ id: SourceID) -> Bool {
            left.withLock { left in
                if left.first == id { left.removeFirst() } else { return false }
                return true
            }
        }
    }

    @Test(arguments: 0..<12) func orderDoesNotMatterAndNothingIsLost(seed: UInt64) async throws {
        var random = SplitMix64(state: seed)
        let rounds = (0..<3).map { _ in
            Dictionary(uniqueKeysWithValues: Self.ids.map { ($0, Self.outcome($0, &random)) })
        }
        let known = try await facts(rounds, &random)
        #expect(try await facts(rounds, &random) == known)
        var before: Set<String> = []
        for facts in known {
            let now = try Self.fields(JSONParser.parse([UInt8](JSONEncoder().encode(facts))))
            #expect(before.isSubset(of: now), "lost: \(before.subtracting(now))")
            before = now
        }
    }

    /// Names of the fields that have a value.
    private static func fields(_ value: JSONValue, _ name: String = "") throws -> Set<String> {
        switch value {
        case .object(let members):
            try members.reduce(into: []) { $0.formUnion(try fields($1.value, "\(name).\($1.key)")) }
        case .array(let elements): elements.isEmpty ? [] : [name]
        case .string(let text): text.known == nil ? [] : [name]
        case .null: []
        case .number, .bool: [name]
        }
    }

    /// Interstitials do not replace the known facts of a page; what it lacked is added, and a page of equal length is newer.
    @Test(arguments: [
        ("Just a moment...", "Please verify you are a human."),
        ("Seite nicht gefunden", "Die Seite wurde nicht gefunden."),
        ("Access denied", "You don't have permission to access this page."),
        ("", "Sign in to continue."),
    ])
    func aChallengeReplacesNoArticle(title: String, text: String) {
        var answers: [SourceAnswer] = []
        func known(_ title: String, _ text: String, site: String? = nil) -> Facts {
            let page = WebContext(siteName: site, textContent: text)
            answers.keep(SourceAnswer(source: .link, facts: Facts(title: title, webContext: page)))
            return Facts(folding: answers)
        }
        let article = String(repeating: "The sea is salt since rivers carry salt into it. ", count: 20)
        let first = known("Why the sea is salt", article)
        var same = known(title, text, site: "example.org")
        #expect(same.webContext?.siteName == "example.org")
        same.webContext?.siteName = nil
        #expect(same == first)
        let longer = String(repeating: "The sea is salt since rocks dissolve. ", count: 25)
        let newer = known("Why the sea is salt, revised", longer)
        #expect(newer.title == "Why the sea is salt, revised" && newer.webContext?.textContent == longer)
    }
}
