import Foundation
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
