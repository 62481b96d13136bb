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

extension CaptureStore {
    private struct Settings: Codable {
        var home: Home?
        var secrets: Set<String>?
        var sourcesOff: Set<String>?
    }

    private static func settings(in database: Database) throws -> Settings {
        try StoredJSON.decode(Settings.self, String.fetchOne(database, sql: "SELECT settings FROM store"))
    }

    private func settings() throws -> Settings { try read { try Self.settings(in: $0) } }

    private func change(_ change: (inout Settings) -> Void) throws {
        try write { database in
            var settings = try Self.settings(in: database)
            change(&settings)
            try database.execute(sql: "UPDATE store SET settings = ?", arguments: [StoredJSON.encode(settings)])
        }
    }

    /// Returns where the person lives; nil where it is not set.
    package func home() throws -> Home? { try settings().home }

    /// Sets where the person lives; nil forgets it.
    ///
    /// Its address is in no narrative from here on.
    package func keep(home: Home?) throws {
        let secrets = home?.address?.known.map { Set(Home.secrets(of: $0)) }
        try change { ($0.home, $0.secrets) = (home, secrets) }
    }

    /// Returns the texts that a narrative must not contain, such as the home's address.
    package func secrets() throws -> [String] { try settings().secrets?.sorted() ?? [] }

    /// Replaces the texts that a narrative must not contain.
    package func keep(secrets: [String]) throws {
        if try Set(self.secrets()) != Set(secrets) { try change { $0.secrets = Set(secrets) } }
    }

    /// Returns the names of the sources that the person has switched off.
    package func sourcesOff() throws -> Set<String> { try settings().sourcesOff ?? [] }

    package func keep(sourcesOff names: Set<String>) throws { try change { $0.sourcesOff = names } }
}
