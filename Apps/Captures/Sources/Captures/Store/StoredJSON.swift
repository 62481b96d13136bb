import Basics
import CaptureReading
import CaptureSpace
package import Foundation
package import GRDB

/// Stored form of values in a row: JSON with sorted keys, times in seconds since 1970.
enum StoredJSON {
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .secondsSince1970
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ text: String?) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        do { return try decoder.decode(type, from: Data((text ?? "").utf8)) } catch {
            throw CaptureFault.damaged(row: "row", problem: error.systemReason)
        }
    }
}

// MARK: - Rows

extension CapturedItem: PersistableRecord {
    package static var databaseTableName: String { "item" }
    /// Columns of which an item is made.
    static let columns = "body, id, sessionID, parentID, original, state, title, capturedAt"

    package func encode(to row: inout PersistenceContainer) throws {
        (row["id"], row["sessionID"], row["parentID"]) = (id, sessionID, parentID)
        (row["original"], row["kind"], row["state"]) = (copyOf ?? id, kind.rawValue, state.rawValue)
        (row["title"], row["capturedAt"]) = (title, capturedAt.timeIntervalSince1970)
        row["updatedAt"] = updatedAt.timeIntervalSince1970
        row["isHome"] = enrichment.placeContext?.isHome == true
        row["lane"] = lane
        // An archived item is not asked for again, and a queued one waits anyway.
        row["retryAt"] = state == .incomplete ? retryAt?.timeIntervalSince1970 : nil
        row["problems"] = try StoredJSON.encode(problems)
        row["features"] = try StoredJSON.encode(features)
        row["words"] = SearchWords.indexed(wordText)
        row["body"] = try StoredJSON.encode(self)
    }

    /// Creates the item of a row; of a damaged one, a failed item with the reason and no other facts.
    ///
    /// - Throws: `CaptureFault.damaged` for a row without an id.
    init(_ row: Row) throws {
        func text(_ column: String) -> String? { String.fromDatabaseValue(row[column]) }
        func id(_ column: String) -> UUID? { UUID.fromDatabaseValue(row[column]) }
        guard let own = id("id"), let session = id("sessionID") else {
            throw CaptureFault.damaged(row: "item", problem: "its id is unknown")
        }
        do {
            guard let state = text("state").flatMap(ItemState.init) else {
                throw CaptureFault.damaged(row: "item", problem: "its state is unknown")
            }
            self = try StoredJSON.decode(CapturedItem.self, text("body"))
            self.state = state
        } catch {
            let time = Date(timeIntervalSince1970: Double.fromDatabaseValue(row["capturedAt"]) ?? 0)
            self.init(id: own, sessionID: session, kind: .image, state: .failed, capturedAt: time)
            lastError = "\(error)"
        }
        (self.id, sessionID, parentID, title) = (own, session, id("parentID"), text("title") ?? "")
        copyOf = id("original").flatMap { $0 == own ? nil : $0 }
    }
}

extension ItemSummary: FetchableRecord {}

extension CaptureSession: PersistableRecord {
    package static var databaseTableName: String { "session" }

    package func encode(to row: inout PersistenceContainer) throws {
        (row["id"], row["createdAt"], row["title"]) = (id, createdAt.timeIntervalSince1970, title)
        (row["placeName"], row["body"]) = (placeName, try StoredJSON.encode(self))
    }

    /// Creates the session of a row; that of a damaged one has a title that says so, and can be deleted.
    init?(_ row: Row) {
        if let session = try? StoredJSON.decode(Self.self, String.fromDatabaseValue(row["body"])) {
            self = session
        } else {
            guard let id = UUID.fromDatabaseValue(row["id"]) else { return nil }
            self.init(id: id, createdAt: Date(timeIntervalSince1970: Double.fromDatabaseValue(row["createdAt"]) ?? 0))
            (title, titleSource) = ("Damaged session", .user)
        }
    }
}

extension UserConcept: FetchableRecord {}

extension ItemSecret: FetchableRecord {}

// MARK: - Errors

package enum CaptureFault: Error, Sendable, Equatable, CustomStringConvertible {
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
        case .noSession(let id): "session not found: \(id.uuidString); 'captures sessions' lists the sessions"
        case .noItem(let id): "item not found: \(id.uuidString)"
        case .partOfItem(let id):
            "item \(id.uuidString) was found in another item, and moves with that one: move that one"
        case .unfinished(let id, let count):
            "\(count) of the items of session \(id.firstLetters) are not processed yet; archive the session when they are ready"
        case .archived(let id):
            "session \(id.firstLetters) is archived; unarchive it first: captures sessions unarchive \(id.firstLetters)"
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
