import Foundation
import GRDB

extension CaptureStore {
    private struct Settings: Codable {
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
