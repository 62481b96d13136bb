package import ContextSpace
package import Foundation
import GRDB

/// Where the person lives.
package struct Home: Sendable, Codable, Equatable {
    /// Degrees north, -90 to 90.
    package var latitude: Double
    /// Degrees east, -180 to 180.
    package var longitude: Double
    /// Address, which no narrative contains; nil for none.
    package var address: String?

    package init(latitude: Double, longitude: Double, address: String? = nil) {
        (self.latitude, self.longitude, self.address) = (latitude, longitude, address)
    }

    /// Returns an address, and its first part where that has a number ("Herrengasse 14").
    static func secrets(of address: String) -> [String] {
        let street = String(address.prefix { $0 != "," && !$0.isNewline })
        let isStreet = street.contains(where: \.isNumber) && street.filter(\.isLetter).count > 3
        return isStreet && street != address ? [address, street] : [address]
    }
}

extension ContextStore {
    // MARK: - Taste

    /// Notes what the person did with an item; nothing while the taste is off, or when there is no such item.
    ///
    /// A use is forgotten with its item. A deletion is to be noted before the item is deleted; what is noted are those
    /// of its concepts that other items have, too.
    package func record(_ action: Interaction, item id: UUID, at time: Date = Date()) throws {
        guard try isTasteOn(), let item = try item(id) else { return }
        var concepts = item.concepts
        if action == .deleted { concepts = try concepts.filter { try isShared($0, besides: id) } }
        guard !concepts.isEmpty else { return }
        try write { database in
            try database.execute(
                sql: "INSERT INTO interaction (itemID, action, at, concepts) VALUES (?, ?, ?, ?)",
                arguments: [
                    action == .deleted ? nil : id.uuidString, action.rawValue, time.timeIntervalSince1970,
                    try StoredJSON.encode(concepts),
                ]
            )
        }
    }

    /// Notes what the person did with the captures of a session, as ``record(_:item:at:)``.
    package func record(_ action: Interaction, session: UUID, at time: Date = Date()) throws {
        for item in try items(of: session) where item.parentID == nil { try record(action, item: item.id, at: time) }
    }

    /// Returns the person's taste.
    package func taste(at now: Date = Date()) throws -> Taste {
        let isOn = try isTasteOn()
        return try read { database in
            let uses = try Row.fetchAll(database, sql: "SELECT action, at, concepts FROM interaction ORDER BY sequence")
                .compactMap { row -> Taste.Use? in
                    guard let action = try Interaction(rawValue: row.value("action")) else { return nil }
                    let (time, list): (Double, String) = try (row.value("at"), row.value("concepts"))
                    let concepts = try StoredJSON.decode([String].self, list)
                    return Taste.Use(action: action, at: Date(timeIntervalSince1970: time), concepts: concepts)
                }
            let edits = try Row.fetchAll(database, sql: "SELECT name, weight FROM tasteEdit")
                .map { try ($0.value("name", String.self), $0.value("weight", Double.self)) }
            return Taste(uses: uses, edits: Dictionary(edits) { $1 }, isOn: isOn, at: now)
        }
    }

    /// Sets the weight of a concept, -1 to 1: 0 removes it for good, nil gives it back to its uses.
    package func setTaste(_ concept: String, weight: Double?) throws {
        try write { database in
            try database.execute(sql: "DELETE FROM tasteEdit WHERE name = ?", arguments: [concept])
            guard let weight else { return }
            try database.execute(
                sql: "INSERT INTO tasteEdit VALUES (?, ?)",
                arguments: [concept, min(max(weight, -1), 1)]
            )
        }
    }

    /// Switches the taste on or off: while it is off, no use is noted and nothing is ranked by it.
    package func setTaste(isOn: Bool) throws { try keep(isOn ? nil : "off", setting: "taste") }

    /// Forgets all uses and edits.
    package func clearTaste() throws {
        try write { try $0.execute(sql: "DELETE FROM interaction; DELETE FROM tasteEdit") }
    }

    private func isTasteOn() throws -> Bool { try setting("taste") == nil }

    /// Returns whether another item has a concept.
    private func isShared(_ concept: String, besides item: UUID) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM conceptSource WHERE name = ? AND itemID <> ?)"
        return try read { try Bool.fetchOne($0, sql: sql, arguments: [concept, item.uuidString]) } ?? false
    }

    // MARK: - Home and settings

    /// Returns where the person lives; nil where it is not set.
    package func home() throws -> Home? { try setting("home").map { try StoredJSON.decode(Home.self, $0) } }

    /// Sets where the person lives; nil forgets it.
    ///
    /// Its address is in no narrative from here on.
    package func keep(home: Home?) throws {
        try keep(home.map { try StoredJSON.encode($0) }, setting: "home")
        try keep(secrets: home?.address?.known.map { Home.secrets(of: $0) } ?? [])
    }

    // MARK: - Sources

    /// Returns the names of the sources that the person has switched off.
    package func sourcesOff() throws -> Set<String> {
        try setting("sources-off").map { Set(try StoredJSON.decode([String].self, $0)) } ?? []
    }

    package func keep(sourcesOff names: Set<String>) throws {
        try keep(names.isEmpty ? nil : StoredJSON.encode(names.sorted()), setting: "sources-off")
    }

    private func setting(_ name: String) throws -> String? {
        try read { try String.fetchOne($0, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name]) }
    }

    private func keep(_ value: String?, setting name: String) throws {
        try write { database in
            try database.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name])
            if let value {
                try database.execute(sql: "INSERT INTO setting VALUES (?, ?)", arguments: [name, value])
            }
        }
    }
}
