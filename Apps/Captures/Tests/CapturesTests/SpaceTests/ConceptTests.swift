import Basics
import Foundation
import SpineReaders
import Testing

@testable import CaptureSpace
@testable import Captures

/// The user's concepts, and the ranking that they draw.
@Suite struct ConceptTests {
    @Test func automaticWeightsOfWhatIsNotRemoved() {
        var item = CapturedItem(
            id: UUID(),
            sessionID: UUID(),
            kind: .product,
            capturedAt: Date(timeIntervalSince1970: 0)
        )
        item.said.title = "Espresso machine"
        item.said.webContext = WebContext(siteName: "Shop")
        item.purposes = ["Shopping", "coffee"]
        item.tags = ["Coffee", "kitchen", " "]
        item.removedTags = ["KITCHEN"]
        let new = ConceptWeight.automatic(from: item)
        #expect(new.map(\.name) == ["Espresso machine", "Shopping", "coffee"])
        #expect(new.map(\.weight) == [3, 2, 2])
        #expect(!ConceptWeight.isBoosted(1.2) && ConceptWeight.isBoosted(1.200_1))
    }

    private func index(_ ranking: CaptureRanking, _ concepts: [UserConcept]) throws -> CaptureIndex<String> {
        var index = CaptureIndex<String>()
        for concept in concepts {
            let vector = ranking.embedder.embed(concept.embeddedText)
            try index.update(concept.name, vector: vector, weight: concept.weight)
        }
        return index
    }

    /// "java" is near to both; a heavy concept decides.
    @Test func aConceptDraws() throws {
        let ranking = try CaptureRanking(embedder: MiniLM(folder: Installation.modelDirectory))
        let items = try ranking.index([("island", "java island travel"), ("code", "java programming language")])
        let plain = try ranking.rank("java", items: items)
        #expect(plain.count == 2)
        for (concept, first) in [("java programming", "code"), ("java travel island", "island")] {
            let concepts = try index(ranking, [UserConcept(name: concept, weight: 3)])
            #expect(try ranking.rank("java", items: items, concepts: concepts).first?.id == first)
        }
        // One that is not boosted draws nothing.
        let light = try index(ranking, [UserConcept(name: "java travel island", weight: 1.2)])
        #expect(try ranking.rank("java", items: items, concepts: light) == plain)
    }

    /// A heavier concept adds more, by the logarithm of its weight: by hand, log10(3) of what a weight of 10 adds.
    @Test func weightMatters() throws {
        let ranking = try CaptureRanking(embedder: MiniLM(folder: Installation.modelDirectory))
        let items = try ranking.index([("island", "java island travel"), ("code", "java programming language")])
        let raised = try [1.2, 1.21, 3, 10].map { weight in
            let concepts = try index(ranking, [UserConcept(name: "java island", weight: weight)])
            let island = try ranking.rank("java", items: items, concepts: concepts).first { $0.id == "island" }
            return try #require(island)
        }
        #expect(raised[0].raised.isEmpty)
        #expect(raised.dropFirst().allSatisfy { $0.raised.map(\.concept) == ["java island"] })
        #expect(zip(raised, raised.dropFirst()).allSatisfy { $0.score < $1.score && $0.cosine == $1.cosine })
        #expect(abs(raised[2].raised[0].by / raised[3].raised[0].by - 0.477_121) < 1e-4)
    }

    /// Without the model, words find: whole ones first, and the newest of each.
    @Test func wordsFindWithoutTheModel() async throws {
        let store = try CaptureStore.inMemory()
        let notes = try ["a teapot", "tea at noon", "tea at four", "bicycle"].map { try store.captured($0).id }
        let memory = CaptureMemory(store, ranking: nil)
        #expect(try await memory.find("tea").map(\.item) == [notes[2], notes[1], notes[0]])
        #expect(try await memory.prepare() == 0)
    }

    @Test(arguments: [
        ("volcano", "volcanoes"), ("story", "stories"), ("roast", "roasting"), ("run", "running"), ("bake", "baked"),
        ("class", "classes"), ("box", "boxes"), ("church", "churches"),
    ])
    func aWordMeetsItsForms(word: String, form: String) {
        #expect(WordStem.contains(word, in: WordStem.key("Two \(form), seen today")))
        #expect(!WordStem.contains(word, in: WordStem.key("un\(form)")))
    }

    @Test func wordsThatOnlyLookAlikeDoNotMeet() {
        for (word, other) in [
            ("java", "javelin"), ("bus", "busy"), ("string", "str"), ("art", "article"),
        ] {
            #expect(!WordStem.contains(word, in: WordStem.key(other)), "\(word) \(other)")
        }
    }

    @Test func theSubstringRuleIsTheOriginals() {
        let items = [(1, "Old coffee"), (2, "Tea"), (3, "New COFFEE house")]
        #expect(SubstringRule.rank("coffee", items: items) == [3, 1])
        #expect(SubstringRule.rank("coffee cup", items: items).isEmpty)
        #expect(SubstringRule.rank("  ", items: items).isEmpty)
    }

    /// Computed by hand: gains 2, 0, 1 at places 1 to 3 are 2 + 0.5; the best is 2 + 1/log2(3) = 2.6309; 0.9502.
    @Test func gainsByHand() throws {
        let grades = ["a": 2, "b": 1]
        let ndcg = RankedRelevance.ndcg(at: 10, ranking: ["a", "x", "b"], grades: grades)
        #expect(abs((ndcg ?? 0) - 0.950_234) < 1e-5)
        #expect(RankedRelevance.ndcg(at: 1, ranking: ["x", "a"], grades: grades) == 0)
        #expect(RankedRelevance.ndcg(at: 10, ranking: [String](), grades: ["a": 0]) == nil)
        #expect(RankedRelevance.recall(at: 2, ranking: ["a", "x", "b"], grades: grades) == 0.5)
    }
}
