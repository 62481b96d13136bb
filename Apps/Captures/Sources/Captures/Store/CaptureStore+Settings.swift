import Foundation
import GRDB

extension CaptureStore {
    private struct Settings: Codable { var secrets: Set<String>? }

    /// Returns the texts that a narrative must not contain, such as the home's address.
    package func secrets() throws -> [String] {
        let text = try read { try String.fetchOne($0, sql: "SELECT settings FROM store") }
        return try StoredJSON.decode(Settings.self, text).secrets?.sorted() ?? []
    }

    /// Replaces the texts that a narrative must not contain.
    package func keep(secrets: [String]) throws {
        guard try Set(self.secrets()) != Set(secrets) else { return }
        let text = try StoredJSON.encode(Settings(secrets: Set(secrets)))
        try write { try $0.execute(sql: "UPDATE store SET settings = ?", arguments: [text]) }
    }
}
