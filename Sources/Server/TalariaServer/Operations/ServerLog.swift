import Foundation

/// Log of the server, a line a message.
package struct ServerLog: Sendable {
    package enum Level: String, Sendable, CaseIterable {
        case info, warning, error, none
    }

    /// Log that nobody reads.
    package static let none = ServerLog(from: .none) { _ in }

    private let level: Level
    private let write: @Sendable (String) -> Void

    /// Creates a log of the messages of a level and those above; `write`: takes a line without its end.
    package init(from level: Level, write: @escaping @Sendable (String) -> Void) {
        (self.level, self.write) = (level, write)
    }

    func info(_ message: String, _ values: [String: String] = [:]) { add(.info, message, values) }
    package func warning(_ message: String, _ values: [String: String] = [:]) { add(.warning, message, values) }
    func error(_ message: String, _ values: [String: String] = [:]) { add(.error, message, values) }

    private func add(_ level: Level, _ message: String, _ values: [String: String]) {
        let levels = Level.allCases
        guard let own = levels.firstIndex(of: self.level), levels[own...].contains(level) else { return }
        let text = values.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        write("\(JSON.timestamp(Date())) \(level.rawValue) \(message)\(text)")
    }
}
