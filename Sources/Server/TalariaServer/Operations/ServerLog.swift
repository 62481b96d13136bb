import Foundation

/// Log of the server, a line a message.
package struct ServerLog: Sendable {
    package enum Level: String, Sendable, CaseIterable {
        case trace, debug, info, notice, warning, error, critical
    }

    /// Log that nobody reads.
    package static let none = ServerLog(from: .critical) { _ in }

    private let level: Level
    private let isJSON: Bool
    private let write: @Sendable (String) -> Void

    /// Creates a log of the messages of a level and those above.
    package init(from level: Level, asJSON isJSON: Bool = false, write: @escaping @Sendable (String) -> Void) {
        (self.level, self.isJSON, self.write) = (level, isJSON, write)
    }

    func debug(_ message: String, _ values: [String: String] = [:]) { add(.debug, message, values) }
    func info(_ message: String, _ values: [String: String] = [:]) { add(.info, message, values) }
    func notice(_ message: String, _ values: [String: String] = [:]) { add(.notice, message, values) }
    package func warning(_ message: String, _ values: [String: String] = [:]) { add(.warning, message, values) }
    func error(_ message: String, _ values: [String: String] = [:]) { add(.error, message, values) }

    private func add(_ level: Level, _ message: String, _ values: [String: String]) {
        let levels = Level.allCases
        guard let own = levels.firstIndex(of: self.level), levels[own...].contains(level) else { return }
        let time = JSON.timestamp(Date())
        if isJSON {
            let line = ["time": time, "level": level.rawValue, "message": message].merging(values) { own, _ in own }
            return write(String(decoding: JSON.data(line), as: UTF8.self) + "\n")
        }
        let text = values.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        write("\(time) \(level.rawValue) \(message)\(text)\n")
    }
}
