import ArgumentParser
import Basics
import Captures
import ContextSpace
import Foundation
import SpineReaders

struct TasteCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "taste",
        abstract: "Measure the gain of a taste from use for made-up users with held-out choices.",
        discussion: """
            A user is interested in three subjects of a folder with items.json, opens and keeps two items of each, opens two and \
            deletes two of others. Then the user searches for a word that stands in items of several subjects, and chooses those of \
            the interests that were not used; used items are left out of both rankings. As many users have no taste: their uses and choices are of any subject. The gain is \
            the difference of NDCG@10 with and without the taste; intervals are over users. The exit code is 1 when the \
            interval of the gain does not lie above 0, or that of users without a taste does not contain 0.
            """
    )

    @Argument(help: "The folder of items.") var folder = "Datasets/context-retrieval"
    @Option(help: "Number of users of each kind.") var users = 200
    @Option(help: "Random seed of the users.") var seed: UInt64 = 2
    @Flag(help: "Print the gain of other shares of the taste.") var details = false

    private struct Item: Decodable {
        var id: String
        var text: String
        var subject: String { String(id.split(separator: "-").first ?? "") }
    }

    private struct Search {
        var user: Int
        var query: String
        var used: Set<String>
        var grades: [String: Int]
    }

    private struct Group {
        var tastes: [Taste] = []
        var searches: [Search] = []
    }

    func run() async throws {
        let path = "\(folder)/items.json"
        let items = try JSONDecoder().decode([Item].self, from: Data(contentsOf: URL(filePath: path)))
        let model = try MiniLM(folder: Installation.modelDirectory)
        let index = try ContextRanking(embedder: model).index(items.map { ($0.id, $0.text) })
        let (tasters, others) = try (group(items, hasTaste: true), group(items, hasTaste: false))
        print("| users | searches | NDCG@10 without | with | gain |\n|---|--:|--:|--:|--:|")
        var gains: [ClosedRange<Double>?] = []
        for (name, group) in [("with a taste", tasters), ("without a taste", others)] {
            let gain = try gain(name, group, index, ContextRanking(embedder: model))
            gains.append(gain)
        }
        if details {
            for share in [Float(0.1), 0.25, 0.5, 1] {
                let ranking = ContextRanking(embedder: model, tasteShare: share)
                _ = try gain("with a taste, share \(share)", tasters, index, ranking)
                _ = try gain("without a taste, share \(share)", others, index, ranking)
            }
        }
        try end(
            [],
            isGood: gains[0].map { $0.lowerBound > 0 } ?? false && gains[1]?.contains(0) ?? false
        )
    }

    /// Makes users through a store, as the page and the commands record uses.
    private func group(_ items: [Item], hasTaste: Bool) throws -> Group {
        var random = SplitMix64(state: seed)
        let subjects = items.map(\.subject).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        var group = Group()
        for user in 0..<users {
            let store = try ContextStore.inMemory()
            var captured: [String: UUID] = [:]
            for item in items {
                var new = NewCapture(kind: .text, capturedAt: Date(timeIntervalSince1970: 1_795_000_000))
                new.text = item.text
                guard let kept = try store.capture(new) else { continue }
                try store.update(kept.id) { $0.title = item.text }
                captured[item.id] = kept.id
            }
            let interests = Set(subjects.shuffled(using: &random).prefix(3))
            var used: Set<String> = []
            func use(_ action: Interaction, _ item: Item) throws {
                guard let id = captured[item.id] else { return }
                used.insert(item.id)
                try store.record(action, item: id, at: Date(timeIntervalSince1970: 1_795_100_000))
            }
            let liked =
                hasTaste
                ? interests.sorted().flatMap { subject in
                    items.filter { $0.subject == subject }.shuffled(using: &random).prefix(2)
                }
                : Array(items.shuffled(using: &random).prefix(6))
            for (number, item) in liked.enumerated() { try use(number % 2 == 0 ? .kept : .opened, item) }
            let rest = items.filter { !interests.contains($0.subject) }.shuffled(using: &random)
            for item in rest.prefix(2) { try use(.opened, item) }
            for item in rest.dropFirst(2).prefix(2) { try use(.deleted, item) }
            group.tastes.append(try store.taste(at: Date(timeIntervalSince1970: 1_795_200_000)))
            for (word, owners) in words(of: items) {
                let wanted = hasTaste ? interests : Set(subjects.shuffled(using: &random).prefix(3))
                let chosen = owners.filter { wanted.contains($0.subject) && !used.contains($0.id) }
                guard !chosen.isEmpty, Set(owners.map(\.subject)).count > Set(chosen.map(\.subject)).count else {
                    continue
                }
                let grades = Dictionary(chosen.map { ($0.id, 1) }) { first, _ in first }
                group.searches.append(Search(user: user, query: word, used: used, grades: grades))
            }
        }
        return group
    }

    /// Returns the words of four letters or more, but for a few that mean nothing, in items of two subjects or more.
    private func words(of items: [Item]) -> [(word: String, items: [Item])] {
        var owners: [String: [Item]] = [:]
        for item in items {
            for word in Set(FoldedText.words(of: item.text)) { owners[word, default: []].append(item) }
        }
        return owners.filter { word, items in
            word.count > 3
                && !["with", "from", "that", "where", "before", "after", "three", "four", "five", "down", "into"]
                    .contains(word)
                && word.contains(where: \.isLetter) && Set(items.map(\.subject)).count > 1
        }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func gain(
        _ name: String,
        _ group: Group,
        _ index: ContextIndex<String>,
        _ ranking: ContextRanking
    ) throws -> ClosedRange<Double>? {
        var vectors: [String: [Float]] = [:]
        let tastes = try group.tastes.map { taste in
            try TasteProfile(taste, among: index) { name in
                let vector = try vectors[name] ?? ranking.embedder.embed(name)
                vectors[name] = vector
                return vector
            }
        }
        var (plain, tasted) = ([Double](), [Double]())
        for search in group.searches {
            for isTasted in [false, true] {
                let taste = isTasted ? tastes[search.user] : .none
                let ids = try ranking.rank(search.query, items: index, taste: taste, count: 30).map(\.id)
                    .filter { !search.used.contains($0) }
                let value = RankedRelevance.ndcg(at: 10, ranking: ids, grades: search.grades).value ?? 0
                if isTasted { tasted.append(value) } else { plain.append(value) }
            }
        }
        let users = Array(Set(group.searches.map(\.user))).sorted()
        let numbers = Dictionary(zip(users, users.indices)) { first, _ in first }
        let gains = zip(tasted, plain).map { $0 - $1 }
        let interval = GroupBootstrap(groups: group.searches.map { numbers[$0.user] ?? 0 }).interval { weights in
            let sum = weights.reduce(0, +)
            return sum == 0 ? nil : zip(weights, gains).reduce(0) { $0 + Double($1.0) * $1.1 } / Double(sum)
        }
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
        let bounds = interval.value.map { String(format: " [%.3f, %.3f]", $0.lowerBound, $0.upperBound) } ?? ""
        let head = "| \(name) | \(gains.count) | "
        print(head + String(format: "%.3f | %.3f | %+.3f\(bounds) |", mean(plain), mean(tasted), mean(gains)))
        return interval.value
    }
}
