import ArgumentParser
import Basics
import Captures
import ContextSpace
import Foundation
import SpineReaders

struct RetrievalCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retrieval",
        abstract: "Measure retrieval of captures by subject, against the original's substring rule (E-25).",
        discussion: """
            NDCG@10 and recall@5 over the questions of a folder with items.json and queries.json; intervals are over its \
            subjects. Then the time of an embedding of a short text on one thread, and of finding ten of many: in memory, \
            through a store, and after a capture each. The exit code is 1 when the model is not 0.1 above the substring rule, an \
            embedding takes more than 1 ms or a search more than 10 ms (P95).
            """
    )

    @Argument(help: "The folder of items and questions.") var folder = "Datasets/context-retrieval"
    @Option(help: "Number of items to search.") var items = 10_000

    private struct Item: Decodable {
        var id: String
        var text: String
    }

    private struct Query: Decodable {
        var text: String
        var grades: [String: Int]

        /// Common prefix of its items before their last sign: the subject.
        var subject: String { String(grades.keys.min()?.split(separator: "-").first ?? "") }
    }

    private struct Scores {
        var ndcg: [Double] = []
        var recall: [Double] = []
    }

    func run() async throws {
        let texts = try read([Item].self, "items.json").map { (id: $0.id, text: $0.text) }
        let queries = try read([Query].self, "queries.json")
        let model = ContextRanking(embedder: try MiniLM(folder: Installation.modelDirectory))
        let grams = ContextRanking(embedder: HashedNGrams())
        // A user with an interest in a fifth of the subjects.
        let subjects = queries.map(\.subject).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let interests = subjects.indices.filter { $0 % 5 == 0 }.map { UserConcept(name: subjects[$0], weight: 3) }
        let index = try model.index(texts)
        let gramIndex = try grams.index(texts)
        let concepts = try model.index(concepts: interests)
        print("\(texts.count) items, \(queries.count) questions, \(subjects.count) subjects\n")
        print("| ranking | NDCG@10 | recall@5 |\n|---|--:|--:|")
        let substring = score(queries, "substring rule, newest first, five at most") {
            SubstringRule.rank($0, items: texts)
        }
        _ = try score(queries, "hashed n-grams") { try grams.rank($0, items: gramIndex).map(\.id) }
        let plain = try score(queries, "MiniLM") { try model.rank($0, items: index).map(\.id) }
        let drawn = try score(queries, "MiniLM, drawn towards \(interests.count) concepts of weight 3") {
            try model.rank($0, items: index, concepts: concepts).map(\.id)
        }
        let gain = mean(zip(plain.ndcg, substring.ndcg).map { $0 - $1 })
        print("\nMiniLM against the substring rule: \(difference(plain, substring, queries, subjects))")
        print("with concepts against without: \(difference(drawn, plain, queries, subjects))")
        try floors(model, texts, queries)
        try floors(grams, texts, queries)
        let (embedding, search) = try await times(model, queries.map(\.text), texts.map(\.text))
        try end([], isGood: gain >= 0.1 && embedding <= 1 && search <= 10)
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
        let path = "\(folder)/\(name)"
        do { return try JSONDecoder().decode(type, from: Data(contentsOf: URL(filePath: path))) } catch {
            throw CheckFailure("\(path): \(error)")
        }
    }

    private func score(_ queries: [Query], _ name: String, _ rank: (String) throws -> [String]) rethrows -> Scores {
        var scores = Scores()
        for query in queries {
            let ranking = try rank(query.text)
            scores.ndcg.append(RankedRelevance.ndcg(at: 10, ranking: ranking, grades: query.grades).value ?? 0)
            scores.recall.append(RankedRelevance.recall(at: 5, ranking: ranking, grades: query.grades).value ?? 0)
        }
        print(String(format: "| \(name) | %.3f | %.3f |", mean(scores.ndcg), mean(scores.recall)))
        return scores
    }

    /// Prints the effect of a minimum cosine: lost questions with an answer, and avoided results of those without.
    ///
    /// A question without an answer is one of the set, asked of all items but those of its subject.
    private func floors(_ ranking: ContextRanking, _ texts: [(id: String, text: String)], _ queries: [Query]) throws {
        let index = try ranking.index(texts)
        let found = try queries.map { try ranking.rank($0.text, items: index, count: texts.count) }
        print("\n| least cosine, \(ranking.embedder.name) | NDCG@10 | recall@5 | shown of 10 | of 10 where none fits |")
        print("|---|--:|--:|--:|--:|")
        for floor in [Float(0), 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4] {
            var scores = Scores()
            var (shown, idle) = ([Double](), [Double]())
            for (query, matches) in zip(queries, found) {
                let hits = matches.prefix { $0.cosine > floor }
                let ids = hits.map(\.id)
                scores.ndcg.append(RankedRelevance.ndcg(at: 10, ranking: ids, grades: query.grades).value ?? 0)
                scores.recall.append(RankedRelevance.recall(at: 5, ranking: ids, grades: query.grades).value ?? 0)
                shown.append(Double(min(10, ids.count)))
                idle.append(Double(min(10, ids.count { !$0.hasPrefix(query.subject + "-") })))
            }
            let values = [Double(floor), mean(scores.ndcg), mean(scores.recall), mean(shown), mean(idle)]
            let cells = zip([2, 3, 3, 1, 1], values).map { NumberText.fixed($1, $0) }
            print("| \(cells.joined(separator: " | ")) |")
        }
    }

    private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }

    /// Returns the mean difference of NDCG@10 with its interval over subjects.
    private func difference(_ one: Scores, _ other: Scores, _ queries: [Query], _ subjects: [String]) -> String {
        let values = zip(one.ndcg, other.ndcg).map { $0 - $1 }
        let groups = queries.map { subjects.firstIndex(of: $0.subject) ?? 0 }
        let interval = GroupBootstrap(groups: groups).interval { weights in
            let sum = weights.reduce(0, +)
            return sum == 0 ? nil : zip(weights, values).reduce(0) { $0 + Double($1.0) * $1.1 } / Double(sum)
        }
        let bounds = interval.value.map { String(format: " [%.3f, %.3f]", $0.lowerBound, $0.upperBound) } ?? ""
        return String(format: "%+.3f\(bounds) NDCG@10", mean(values))
    }

    /// Milliseconds (P95) of an embedding, and of the slowest way of a search with its embedding.
    private func times(_ model: ContextRanking, _ short: [String], _ texts: [String]) async throws -> (Double, Double) {
        var random = SplitMix64(state: 1)
        let vectors = try texts.map { try model.embedder.embed($0) }
        var many = ContextIndex<Int>(space: model.embedder.name, dimensions: model.embedder.dimensions)
        for number in 0..<items {
            // Real vectors, each a little elsewhere.
            let vector = vectors[number % vectors.count].map { $0 + Float.random(in: -0.05...0.05, using: &random) }
            try many.update(number, vector: vector)
        }
        var times: (embedding: [Double], search: [Double]) = ([], [])
        for text in short {
            times.embedding.append(try await milliseconds { _ = try model.embedder.embed(text) })
            times.search.append(try await milliseconds { _ = try model.rank(text, items: many) })
        }
        let (embedding, search) = (Latencies(times.embedding), Latencies(times.search))
        print("\n\(Latencies.head("call"))")
        print(embedding.row("embedding of a question"))
        print(search.row("the ten nearest of \(items), with its embedding"))
        let (quiet, changed) = try await withTemporaryFolder("retrieval") { folder in
            try await timesOfStore(folder.appending(path: "sessions.sqlite").path, model, short, texts, vectors)
        }
        print(quiet.row("the same through a store"))
        print(changed.row("the same after a capture each"))
        let searches = [search, quiet, changed].map { $0.percentile(95) ?? .infinity }
        return (embedding.percentile(95) ?? .infinity, searches.max() ?? .infinity)
    }

    /// Returns the times of searches through an unchanged store, and after a capture each.
    private func timesOfStore(
        _ path: String,
        _ model: ContextRanking,
        _ short: [String],
        _ texts: [String],
        _ vectors: [[Float]]
    ) async throws -> (quiet: Latencies, changed: Latencies) {
        let store = try ContextStore(path: path)
        func capture(_ number: Int) throws -> UUID {
            var new = NewCapture(kind: .text, capturedAt: Date())
            new.text = "\(texts[number % texts.count]) \(number)"
            guard let item = try store.capture(new) else { throw CheckFailure("item \(number) was not kept") }
            return item.id
        }
        let space = model.embedder.name
        var kept: [(item: UUID, bytes: Data)] = []
        for number in 0..<items {
            let vector = StoredVector(space: space, values: vectors[number % vectors.count])
            kept.append((try capture(number), vector.bytes))
        }
        try store.keep(vectors: kept, space: space)
        let memory = ContextMemory(store, ranking: model)
        _ = try await memory.find(short[0])
        var times: (quiet: [Double], changed: [Double]) = ([], [])
        for (number, text) in short.enumerated() {
            times.quiet.append(try await milliseconds { _ = try await memory.find(text) })
            _ = try capture(items + number)
            times.changed.append(try await milliseconds { _ = try await memory.find(text) })
        }
        return (Latencies(times.quiet), Latencies(times.changed))
    }
}

/// The rule that the original pipeline calls a vector search, as the baseline: items that hold the whole question.
enum SubstringRule {
    /// Items that the original takes at most.
    static let mostItems = 5

    /// Returns the newest items whose text contains the whole query, ignoring case.
    static func rank<ID>(_ query: String, items: [(id: ID, text: String)], count: Int = mostItems) -> [ID] {
        let wanted = query.trimmingSpace.lowercased()
        guard !wanted.isEmpty else { return [] }
        return Array(items.reversed().lazy.filter { $0.text.lowercased().contains(wanted) }.prefix(count).map(\.id))
    }
}
