import Basics
import Foundation
import Testing

@testable import Captures
@testable import ContextSpace
@testable import checks

/// The user's concepts, and the ranking that they draw.
@Suite struct ConceptTests {
    @Test func automaticWeightsAndWhatIsKnownStays() {
        var item = CapturedItem(
            id: UUID(),
            sessionID: UUID(),
            kind: .product,
            capturedAt: Date(timeIntervalSince1970: 0)
        )
        item.title = "Espresso machine"
        item.purposes = ["Shopping", "coffee"]
        item.tags = ["Coffee", "kitchen", " "]
        let known = [UserConcept(name: "KITCHEN", weight: 0.5)]
        let new = ConceptWeight.automatic(from: item, known: known)
        #expect(new.map(\.name) == ["Espresso machine", "Shopping", "coffee"])
        #expect(new.map(\.weight) == [3, 2, 2])
        #expect(!ConceptWeight.isBoosted(1.2) && ConceptWeight.isBoosted(1.200_1))
    }

    /// "java" is near to both; a heavy concept decides.
    @Test func aConceptDraws() throws {
        let ranking = ContextRanking(embedder: HashedNGrams())
        let items = try ranking.index([("island", "java island travel"), ("code", "java programming language")])
        let plain = try ranking.rank("java", items: items)
        #expect(plain.count == 2)
        for (concept, first) in [("java programming", "code"), ("java travel island", "island")] {
            let concepts = try ranking.index(concepts: [UserConcept(name: concept, weight: 3)])
            #expect(try ranking.rank("java", items: items, concepts: concepts).first?.id == first)
        }
        // One that is not boosted draws nothing.
        let light = try ranking.index(concepts: [UserConcept(name: "java travel island", weight: 1.2)])
        #expect(try ranking.rank("java", items: items, concepts: light) == plain)
    }

    /// A heavier concept adds more, by the logarithm of its weight: by hand, log10(3) of what a weight of 10 adds.
    @Test func weightMatters() throws {
        let ranking = ContextRanking(embedder: HashedNGrams())
        let items = try ranking.index([("island", "java island travel"), ("code", "java programming language")])
        let raised = try [1.2, 1.21, 3, 10].map { weight in
            let concepts = try ranking.index(concepts: [UserConcept(name: "java island", weight: weight)])
            let island = try ranking.rank("java", items: items, concepts: concepts).first { $0.id == "island" }
            return try #require(island)
        }
        #expect(raised[0].raised.isEmpty)
        #expect(raised.dropFirst().allSatisfy { $0.raised.map(\.concept) == ["java island"] })
        #expect(zip(raised, raised.dropFirst()).allSatisfy { $0.score < $1.score && $0.cosine == $1.cosine })
        #expect(abs(raised[2].raised[0].by / raised[3].raised[0].by - 0.477_121) < 1e-4)
    }

    /// Half-life 30 days, tanh(sum / 3): a kept item of one concept, 30 days ago, is tanh(0.5) = 0.4621; with an opened
    /// one of two concepts now, each of them has 1 / √2, and tanh((1.5 + 0.7071) / 3) = 0.6266.
    @Test func aTasteByHand() {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let uses = [
            Taste.Use(action: .kept, at: now.addingTimeInterval(-Taste.halfLife), concepts: ["Coffee"]),
            .init(action: .opened, at: now, concepts: ["coffee", "Tea"]),
            .init(action: .deleted, at: now, concepts: ["Ads"]),
        ]
        let taste = Taste(uses: uses, edits: ["Tea": 0, "Java": 1], isOn: true, at: now)
        #expect(taste.concepts.map(\.name) == ["Java", "Coffee", "Ads"])
        #expect(abs(taste.concepts[1].weight - 0.626_6) < 1e-3 && taste.concepts[1].uses == 2)
        #expect(abs(taste.concepts[2].weight + 0.582_8) < 1e-3)
        #expect(Taste(uses: uses, edits: [:], isOn: false, at: now).concepts.isEmpty)
    }

    /// A taste by hand.
    ///
    /// Of 6 captures of each of 4 kinds, 5 of 23 others are of one's kind by chance. Four uses of one kind are 6 pairs of
    /// cosine 1: 2.4 × (1 − 5/23 × (1 + 1.65 × 3.2 / √6)) = 0.7537. Uses of four kinds are no taste.
    @Test func aTasteNeedsEvidence() throws {
        let ranking = ContextRanking(embedder: Letters())
        let items = try ranking.index(["b", "a", "c", "d"].flatMap { kind in (1...6).map { ("\(kind)\($0)", kind) } })
        func profile(_ names: [String], edits: [String: Double] = [:]) throws -> TasteProfile {
            let now = Date(timeIntervalSince1970: 1_790_000_000)
            let uses = names.map { Taste.Use(action: .kept, at: now, concepts: [$0]) }
            let taste = Taste(uses: uses, edits: edits, isOn: true, at: now)
            return try TasteProfile(taste, among: items) { try ranking.embedder.embed($0) }
        }
        let one = try profile(["a", "a ", "a-", "a."])
        #expect(abs(one.evidence - 0.753_7) < 1e-3)
        let ranked = try ranking.rank("ab", items: items, taste: one)
        #expect(ranked.prefix(6).allSatisfy { $0.id.hasPrefix("a") && $0.raised.map(\.source) == [.taste] })
        let none = try profile(["a", "b", "c", "d"])
        #expect(none.evidence == 0)
        #expect(try ranking.rank("ab", items: items, taste: none) == ranking.rank("ab", items: items))
        // What the person has set needs no evidence.
        #expect(try ranking.rank("ab", items: items, taste: profile([], edits: ["a": 1])).first?.id == "a1")
        // What does not fit the query is not raised.
        #expect(try ranking.rank("b", items: items, taste: one).first?.id == "b1")
    }

    /// A space with an axis for each of the letters a to d.
    private struct Letters: TextEmbedder {
        let name = "letters"
        let dimensions = 4
        let leastCosine: Float = 0
        let knowsMeaning = true
        let leastAlike: Float = 0.5
        func embed(_ text: String) -> [Float] {
            VectorMath.normalized("abcd".map { text.contains($0) ? 1 : 0 })
        }
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
        #expect(abs((ndcg.value ?? 0) - 0.950_234) < 1e-5)
        #expect(RankedRelevance.ndcg(at: 1, ranking: ["x", "a"], grades: grades).value == 0)
        #expect(RankedRelevance.ndcg(at: 10, ranking: [String](), grades: ["a": 0]).value == nil)
        #expect(RankedRelevance.recall(at: 2, ranking: ["a", "x", "b"], grades: grades).value == 0.5)
    }
}
