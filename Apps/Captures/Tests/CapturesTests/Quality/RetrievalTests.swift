import Basics
import Foundation
import SpineReaders
import TestSupport
import Testing

@testable import CaptureSpace
@testable import Captures

/// Retrieval of captures by subject, on `Datasets/context-retrieval` (E-25).
@Suite struct RetrievalTests {
    private struct Item: Decodable {
        var id: String
        var text: String
    }

    private struct Query: Decodable {
        var text: String
        var grades: [String: Int]
    }

    private func read<Value: Decodable>(_ name: String) throws -> Value {
        let file = Project.folder.appending(path: "Datasets/context-retrieval/\(name).json")
        return try JSONDecoder().decode(Value.self, from: Data(contentsOf: file))
    }

    private func texts() throws -> [(id: String, text: String)] {
        try (read("items") as [Item]).map { ($0.id, $0.text) }
    }

    /// 0.816 against 0.190 on 28 November 2026.
    @Test func theModelIsATenthAboveTheOriginalsSubstringRule() throws {
        let (texts, queries) = (try texts(), try read("queries") as [Query])
        let model = CaptureRanking(embedder: try MiniLM(folder: Installation.modelDirectory))
        let index = try model.index(texts)
        func gain(_ rank: (String) throws -> [String]) rethrows -> Double {
            try queries.reduce(0) { sum, query in
                sum + (RankedRelevance.ndcg(at: 10, ranking: try rank(query.text), grades: query.grades) ?? 0)
            } / Double(queries.count)
        }
        let substring = gain { SubstringRule.rank($0, items: texts) }
        let found = try gain { try model.rank($0, items: index).map(\.id) }
        print("NDCG@10 of \(queries.count) questions: \(found), by the substring rule \(substring)")
        #expect(found - substring >= 0.1)
    }

    /// P95 of an embedding on one thread, and of the ten nearest of 10,000 in memory, through a store, and after a
    /// capture each.
    @Test(.measured) func searchesTakeTenMilliseconds() async throws {
        let (texts, count) = (try texts(), 10_000)
        let model = CaptureRanking(embedder: try MiniLM(folder: Installation.modelDirectory))
        let folder = try TemporaryFolder()
        let store = try CaptureStore(path: folder("sessions.sqlite"))
        var random = SplitMix64(state: 1)
        let vectors = texts.map { model.embedder.embed($0.text) }
        var many = CaptureIndex<Int>()
        func capture(_ number: Int) throws -> UUID {
            var new = NewCapture(kind: .text, capturedAt: Date())
            new.text = "\(texts[number % texts.count].text) \(number)"
            return try store.capture(new).id
        }
        var kept: [(item: UUID, values: [Float])] = []
        for number in 0..<count {
            let vector = vectors[number % vectors.count]
            // Real vectors, each a little elsewhere.
            try many.update(number, vector: vector.map { $0 + Float.random(in: -0.05...0.05, using: &random) })
            kept.append((try capture(number), vector))
        }
        try store.keep(vectors: kept, space: MiniLM.name)
        let memory = CaptureMemory(store, ranking: model)
        let queries = try read("queries") as [Query]
        _ = try await memory.find(queries[0].text)
        var (embedding, nearest, words) = (CallTimes(), CallTimes(), CallTimes())
        var (quiet, changed) = (CallTimes(), CallTimes())
        for (number, query) in queries.enumerated() {
            _ = embedding.measure { model.embedder.embed(query.text) }
            _ = try nearest.measure { try model.rank(query.text, items: many) }
            try await words.measureTask { _ = try await memory.find("\(count / 2 + number)") }
            try await quiet.measureTask { _ = try await memory.find(query.text) }
            _ = try capture(count + number)
            try await changed.measureTask { _ = try await memory.find(query.text) }
        }
        let searches = [nearest, quiet, changed].map { $0.wall(95) }
        print("ms, P95: embedding \(embedding.wall(95)), searches \(searches), for one word \(words.wall(95))")
        #expect(embedding.wall(95) <= 1)
        #expect(searches.allSatisfy { $0 <= 10 })
    }
}
