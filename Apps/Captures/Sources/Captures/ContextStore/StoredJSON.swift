import Basics
import BookCatalogue
package import Foundation
import GRDB

/// Stored form of values in a row: JSON with sorted keys, times in seconds since 1970.
enum StoredJSON {
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .secondsSince1970
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        do { return try decoder.decode(type, from: Data(text.utf8)) } catch {
            throw ContextError.damaged(row: "row", problem: error.systemReason)
        }
    }

    /// Returns the values of the rows whose bodies a query selects.
    static func all<Value: Decodable>(
        _ type: Value.Type,
        _ sql: String,
        _ arguments: StatementArguments,
        in database: Database
    ) throws -> [Value] {
        try String.fetchAll(database, sql: sql, arguments: arguments).map { try decode(type, $0) }
    }
}

package enum ContextError: Error, Sendable, Equatable, CustomStringConvertible {
    case noSession(UUID)
    case noItem(UUID)
    /// An item that was found in another one.
    case partOfItem(UUID)
    /// Items of a session wait or are being processed.
    case unfinished(UUID, count: Int)
    case archived(UUID)
    case badState(UUID, from: ItemState, to: ItemState)
    case damaged(row: String, problem: String)

    package var description: String {
        switch self {
        case .noSession(let id): "session not found: \(id.uuidString); 'spinebench sessions' lists the sessions"
        case .noItem(let id): "item not found: \(id.uuidString)"
        case .partOfItem(let id):
            "item \(id.uuidString) was found in another item, and moves with that one: move that one"
        case .unfinished(let id, let count):
            "\(count) of the items of session \(id.firstLetters) are not processed yet; archive the session when they are ready"
        case .archived(let id):
            "session \(id.firstLetters) is archived; unarchive it first: spinebench sessions unarchive \(id.firstLetters)"
        case .badState(let id, let old, let new):
            "item \(id.uuidString) is \(old.rawValue) and cannot become \(new.rawValue)"
        case .damaged(let row, let problem):
            "a \(row) in the store is damaged (\(problem)); delete it, or restore the file from a copy"
        }
    }
}

extension UUID {
    /// A session's id as it is printed and may be typed: its first eight letters.
    package var firstLetters: String { uuidString.prefix(8).lowercased() }
}

extension Row {
    /// Returns a column's value.
    ///
    /// - Throws: `ContextError.damaged` for a value of another type, such as a file that was damaged has.
    func value<Value: DatabaseValueConvertible>(_ column: String, _ type: Value.Type = Value.self) throws -> Value {
        guard let value = Value.fromDatabaseValue(self[column]) else {
            throw ContextError.damaged(row: "row", problem: "its \(column) has the wrong type")
        }
        return value
    }
}

extension ItemSummary {
    /// Returns the item of a row of ``ContextStore/summaryColumns``.
    static func read(_ row: Row) throws -> ItemSummary {
        guard let id = try UUID(uuidString: row.value("id")), let kind = try ItemKind(rawValue: row.value("kind")),
            let state = try ItemState(rawValue: row.value("state"))
        else { throw ContextError.damaged(row: "item", problem: "its id, kind or state is unknown") }
        let problems = String.fromDatabaseValue(row["problems"])
        var summary = ItemSummary(
            id: id,
            parentID: String.fromDatabaseValue(row["parentID"]).flatMap { UUID(uuidString: $0) },
            kind: kind,
            state: state,
            title: String.fromDatabaseValue(row["title"]) ?? "",
            capturedAt: Date(timeIntervalSince1970: Double.fromDatabaseValue(row["capturedAt"]) ?? 0),
            hasThumbnail: row["hasThumbnail"],
            hasIcon: row["hasIcon"],
            problems: []
        )
        if let problems { summary.problems = (try? StoredJSON.decode([SourceProblem].self, problems)) ?? [] }
        if let time = Double.fromDatabaseValue(row["retryAt"]) { summary.retryAt = Date(timeIntervalSince1970: time) }
        return summary
    }
}
