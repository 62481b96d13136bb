import Basics
import Composition
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
        let bytes = try InputFile.bytes(path)
        do {
            return try JSONDecoder().decode(SessionShard.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw SimulationFault("\(path): this is no part of a simulation: \(error.systemReason)")
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
}
