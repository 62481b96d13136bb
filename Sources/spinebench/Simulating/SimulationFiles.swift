import DeviceSimulation
import Foundation

/// What is wrong with what a simulation was asked for.
struct SimulationFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Reads and writes what simulations leave behind.
enum SimulationFiles {
    /// A part of sessions.
    ///
    /// - Throws: `SimulationFault` when it is none.
    static func shard(_ path: String) throws -> SessionShard {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SimulationFault("\(path): the file cannot be read")
        }
        do {
            return try JSONDecoder().decode(SessionShard.self, from: data)
        } catch let error as DecodingError {
            throw SimulationFault("\(path): this is no part of a simulation: \(problem(of: error))")
        }
    }

    /// The bytes of a file, the same for the same value.
    static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// For people and their tools.
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// - Throws: `SimulationFault` when it cannot be written.
    static func write(_ data: Data, to path: String) throws {
        do {
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw SimulationFault("\(path): the file cannot be written: \(error.localizedDescription)")
        }
    }

    private static func problem(of error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "\"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            (context.codingPath.map(\.stringValue) + [context.debugDescription]).joined(separator: ": ")
        @unknown default: "\(error)"
        }
    }
}
