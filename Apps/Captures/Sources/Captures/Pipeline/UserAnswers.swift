package import BookCatalogue
import CaptureReading
import CaptureSpace
package import Foundation
import GRDB

/// What a person said about a picture, and pictures that look like it.
extension CaptureStore {
    /// Longest answer, in letters.
    package static let mostNameLetters = 60
    /// Space of the vectors of pictures of which a person said what they show.
    private static let givenSpace = ThingNamer.space + " answered"

    /// Keeps a person's answer to "What is it?", and has the item processed again.
    ///
    /// - Parameters:
    ///   - id: the item.
    ///   - name: at most ``mostNameLetters`` letters in one line; longer ones are cut. "" forgets the answer.
    /// - Throws: `StoreError` when the file cannot be read or written.
    /// - Returns: the item; nil when there is none.
    @discardableResult
    package func answer(item id: UUID, thing name: String) throws -> CapturedItem? {
        let name = name.split(whereSeparator: \.isWhitespace).joined(separator: " ").bounded(to: Self.mostNameLetters)
        let item = try answer(item: id) { item in
            let old = item.givenName
            if let old { item.labels[old] = nil }
            item.answerByUser { $0.thing = name.known.map { ThingAnswer(name: $0, confidence: 1) } }
            if let name = name.known { item.labels[name] = 1 }
            if name.known == nil, !item.isTitledByUser { item.title = "" }
            item.adoptTitle()
        }
        guard item != nil else { return nil }
        try write { database in
            let delete = "DELETE FROM vector WHERE itemID = ? AND space = ?"
            try database.execute(sql: delete, arguments: [id, Self.givenSpace])
            guard name.known != nil else { return }
            let copy = "INSERT INTO vector (itemID, space, bytes) SELECT itemID, ?, bytes FROM vector"
            let arguments: StatementArguments = [Self.givenSpace, id, ThingNamer.space]
            try database.execute(sql: "\(copy) WHERE itemID = ? AND space = ?", arguments: arguments)
        }
        return item
    }

    /// Keeps a person's answer to "Which book is it?", and has the item processed again.
    ///
    /// - Returns: the item; nil when there is none.
    @discardableResult
    package func answer(item id: UUID, book record: BookRecord) throws -> CapturedItem? {
        try answer(item: id) { item in
            let book = Facts(BookContext(record))
            item.answerByUser {
                ($0.title, $0.bookContext, $0.categories) = (book.title, book.bookContext, book.categories)
            }
            (item.kind, item.title) = (.book, book.title ?? item.title)
        }
    }

    /// Changes an item by a person's answer, and queues it.
    private func answer(item id: UUID, _ change: (inout CapturedItem) -> Void) throws -> CapturedItem? {
        try update(id) { item in
            change(&item)
            // One that is being processed takes the answer when its picture has been read.
            if ![.archived, .processing].contains(item.state), item.state.mayBecome(.queued) { item.queue() }
        }
    }

    /// Keeps a picture's vector, and returns what a person said about the one that looks most like it.
    ///
    /// - Returns: nil when none looks enough like it.
    func givenName(of id: UUID, like vector: [Float]) throws -> ThingAnswer? {
        let isNamed = try item(id)?.givenName != nil
        for space in isNamed ? [ThingNamer.space, Self.givenSpace] : [ThingNamer.space] {
            try keep(vectors: [(id, vector)], space: space)
        }
        var index = CaptureIndex<UUID>(dimensions: vector.count)
        for row in try vectors(of: Self.givenSpace) where row.item != id {
            try? index.update(row.item, vector: row.values)
        }
        // The surest name of the nearest few: near ones with the same name agree.
        var names: [String: Double] = [:]
        for match in try index.nearest(to: vector, count: 5) {
            guard let name = try item(match.id)?.givenName else { continue }
            let confidence = Self.confidence(ofCosine: match.cosine)
            names[name] = 1 - (1 - (names[name] ?? 0)) * (1 - confidence)
        }
        guard let best = names.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
            best.value >= ThingTree.leastConfidence
        else { return nil }
        return ThingAnswer(name: best.key, confidence: best.value)
    }

    /// Returns how often pictures as near as that show the same, 0 to 1.
    ///
    /// Fitted to pairs of the photographs of `Datasets/things-1` that are for rules, and changed copies of them.
    static func confidence(ofCosine cosine: Float) -> Double { 1 / (1 + exp(12.2 - 19.5 * Double(cosine))) }
}

extension CapturedItem {
    /// Changes what a person said of it.
    mutating func answerByUser(_ change: (inout Facts) -> Void) {
        var facts = answers[.user] ?? Facts()
        change(&facts)
        answers.removeAll { $0.source == .user }
        answer(.user, facts)
    }

    /// Takes the labels of its picture; what a person said of it, or of one that looks like it, comes before the network's name.
    ///
    /// Earlier names stay where the network is missing now.
    mutating func label(by scene: SceneReading, similar: ThingAnswer?) {
        var found = scene.labels
        if let thing = scene.thing {
            labels = labels.filter { SceneLabel(rawValue: $0.key) != nil }
            things = thing.answers
            answers.removeAll { $0.source == .remembered }
            if let similar, similar.confidence >= thing.label?.confidence ?? 0 {
                answer(.remembered, Facts(thing: similar))
                things = [similar] + thing.answers.filter { $0.name != similar.name }.prefix(2)
            }
        }
        if let thing = enrichment.thing {
            found = found.filter { SceneLabel(rawValue: $0.key) != nil }
            let isShown = givenName != nil || ![.bookshelf, .book, .page].contains(SceneLabel(scene))
            if isShown { found[thing.name] = thing.confidence }
        }
        labels.merge(found) { $1 }
        media.themes.unite(found.keys.sorted().flatMap { [$0] + ThingTree.standard.kinds(of: $0) })
    }
}
