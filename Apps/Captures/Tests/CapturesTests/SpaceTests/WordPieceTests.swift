import Foundation
import SpineReaders
import Testing

@testable import CaptureSpace

/// Texts as numbers and vectors, against the tools that the model was made with (Fixtures/make_fixtures.py).
@Suite struct WordPieceTests {
    private struct Tokens: Decodable {
        struct Case: Decodable {
            var text: String
            var tokens: [Int32]
        }

        var texts: [Case]
    }

    private struct Cosines: Decodable {
        struct Pair: Decodable {
            var first: String
            var second: String
            var int8: Float
            var f32: Float
        }

        var pairs: [Pair]
    }

    private func fixture<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: "json"))
        return try JSONDecoder().decode(type, from: try Data(contentsOf: url))
    }

    @Test func tokensAreThoseOfTheModelsOwnTokenizer() throws {
        let tokenizer = try WordPieceTokenizer(
            vocabularyPath: "\(Installation.modelDirectory)/\(MiniLM.vocabularyFile)"
        )
        let cases = try fixture(Tokens.self, "tokens").texts
        #expect(cases.count >= 30)
        for one in cases { #expect(tokenizer.tokens(of: one.text) == one.tokens, "\(one.text.prefix(60))") }
    }

    @Test func cosinesAreThoseOfOtherRuntimes() throws {
        let model = try MiniLM(folder: Installation.modelDirectory)
        let pairs = try fixture(Cosines.self, "cosines").pairs
        #expect(pairs.count >= 8)
        for pair in pairs {
            let (first, second) = (model.embed(pair.first), model.embed(pair.second))
            let cosine = VectorMath.dot(first, second)
            #expect(abs(cosine - pair.int8) < 2e-5, "\(pair.first) ~ \(pair.second)")
            #expect(abs(cosine - pair.f32) < 0.05, "\(pair.first) ~ \(pair.second)")
            #expect(abs(VectorMath.dot(first, first) - 1) < 1e-5)
        }
    }

    /// A text without a whole word of the vocabulary needs a higher cosine.
    @Test(arguments: [
        ("qwxzv blorf", false), ("zzzz", false), ("fjord glim", true), ("Wien 2024", true), ("- ?", false),
    ])
    func unknownWordsNeedMore(text: String, isKnown: Bool) throws {
        let model = try MiniLM(folder: Installation.modelDirectory)
        #expect((model.leastCosine(of: text) == MiniLM.leastCosine) == isKnown)
    }

    @Test func aModelThatIsNotThereIsNamed() {
        #expect(throws: CaptureSpaceError.self) { try MiniLM(folder: "/nowhere") }
    }
}

/// Vectors, their index and the user's concepts.
@Suite struct CaptureIndexTests {
    @Test func theNearestComeFirstByCosineTimesWeight() throws {
        var index = CaptureIndex<String>(dimensions: 2)
        try index.update("east", vector: [2, 0])
        try index.update("north", vector: [0, 5])
        try index.update("north-east", vector: [1, 1])
        let found = try index.nearest(to: [3, 1], count: 2)
        // Computed by hand: (3, 1)/√10 gives 0.9487 with east, 0.8944 with north-east, 0.3162 with north.
        #expect(found.map(\.id) == ["east", "north-east"])
        #expect(abs(found[0].cosine - 0.948_683) < 1e-5)
        #expect(abs(found[1].cosine - 0.894_427) < 1e-5)
        // A weight of 1.3 is boosted: 0.8944 · 1.3 · 1.25 = 1.4534.
        try index.update("north-east", vector: [1, 1], weight: 1.3)
        let boosted = try index.nearest(to: [3, 1], count: 1)
        #expect(boosted.first?.id == "north-east")
        #expect(abs((boosted.first?.score ?? 0) - 1.453_444) < 1e-4)
    }

    @Test func noneAreNearToNothing() throws {
        var index = CaptureIndex<Int>(dimensions: 1)
        #expect(try index.nearest(to: [1], count: 3).isEmpty)
        try index.update(1, vector: [1])
        #expect(try index.nearest(to: [1], count: 0).isEmpty)
        #expect(try index.nearest(to: [1], count: 9).map(\.id) == [1] && index.count == 1)
    }

    @Test func spacesAndSizesAreNotMixed() throws {
        var index = CaptureIndex<Int>(dimensions: 2)
        #expect(throws: CaptureSpaceError.self) { try index.update(1, vector: [1]) }
        #expect(throws: CaptureSpaceError.self) { try index.update(1, vector: [.nan, 1]) }
        #expect(throws: CaptureSpaceError.self) { try index.update(1, vector: [1, 1], weight: 0) }
        #expect(throws: CaptureSpaceError.self) { try index.nearest(to: [1], count: 1) }
        #expect(index.count == 0)
    }

    /// Comparison with a sort of all scores, for random vectors and weights.
    @Test func theBestAreThoseOfASort() throws {
        var state: UInt64 = 7
        func random() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(state >> 40) / Float(1 << 24) - 0.5
        }
        var index = CaptureIndex<Int>(dimensions: 37)
        var all: [(id: Int, vector: [Float], weight: Double)] = []
        for id in 0..<300 {
            let vector = (0..<37).map { _ in random() }
            let weight = Double(random()) + 1
            all.append((id, VectorMath.normalized(vector), Double(Float(weight))))
            try index.update(id, vector: vector, weight: weight)
        }
        let question = VectorMath.normalized((0..<37).map { _ in random() })
        let scores = all.map { one in
            (
                one.id,
                CaptureIndex<Int>.Match(
                    id: one.id,
                    cosine: zip(one.vector, question).map(*).reduce(0, +),
                    weight: Float(one.weight)
                ).score
            )
        }
        let expected = scores.sorted { $0.1 > $1.1 }.prefix(20).map(\.0)
        #expect(try index.nearest(to: question, count: 20).map(\.id) == expected)
    }
}
