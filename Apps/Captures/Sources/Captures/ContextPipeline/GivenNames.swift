import CaptureReading
import ContextSpace
package import Foundation
import GRDB

/// What a person said about a picture, and pictures that look like it.
extension ContextStore {
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
    package func name(item id: UUID, as name: String) throws -> CapturedItem? {
        let name = name.split(whereSeparator: \.isWhitespace).joined(separator: " ").bounded(to: Self.mostNameLetters)
        let old = try item(id)
        let item = try update(id) { item in
            if let given = item.givenName { item.labels[given] = nil }
            item.givenName = name.known
            if let name = name.known {
                item.labels[name] = 1
                if !item.isTitledByUser { item.title = PlainText.capitalised(name) }
            } else if let given = old?.givenName, item.title == PlainText.capitalised(given), !item.isTitledByUser {
                item.title = ""
            }
            // One that is being processed takes the answer when its picture has been read.
            if ![.archived, .processing].contains(item.state), item.state.mayBecome(.queued) { item.state = .queued }
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

    /// Keeps a picture's vector, and returns what a person said about the one that looks most like it.
    ///
    /// - Returns: nil when none looks enough like it.
    func givenName(of id: UUID, like vector: [Float]) throws -> ThingAnswer? {
        let isNamed = try item(id)?.givenName != nil
        for space in isNamed ? [ThingNamer.space, Self.givenSpace] : [ThingNamer.space] {
            try keep(vectors: [(id, vector)], space: space)
        }
        var index = ContextIndex<UUID>(space: Self.givenSpace, dimensions: vector.count)
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
    /// Takes the labels of its picture; what a person said of it, or of one that looks like it, comes before the network's name.
    ///
    /// Earlier names stay where the network is missing now.
    mutating func label(by scene: SceneReading, similar: ThingAnswer?) {
        var found = scene.labels
        if let thing = scene.thing {
            labels = labels.filter { SceneLabel(rawValue: $0.key) != nil }
            var answers = thing.answers
            if let similar, similar.confidence >= thing.label?.confidence ?? 0 {
                answers = [similar] + answers.filter { $0.name != similar.name }.prefix(2)
                if let label = thing.label?.name { found[label] = nil }
                if ![.bookshelf, .book, .page].contains(SceneLabel(scene)) { found[similar.name] = similar.confidence }
            }
            things = answers
        }
        if let givenName {
            found = found.filter { SceneLabel(rawValue: $0.key) != nil }
            found[givenName] = 1
        }
        labels.merge(found) { $1 }
        media.themes.unite(found.keys.sorted().flatMap { [$0] + ThingTree.standard.kinds(of: $0) })
    }
}
