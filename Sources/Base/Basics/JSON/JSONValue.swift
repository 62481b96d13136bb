/// Any JSON value, for input whose faults are reported one by one: a `Decodable` type stops at the first.
public enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Kind of the value as a fault calls it.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number: "a number"
        case .string: "text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

extension JSONValue: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let fields): try container.encode(fields)
        }
    }
}

/// The position and reason of invalid JSON.
public struct JSONFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// Bytes from the start of the text, counted from 1.
    public var column: Int
    package var problem: String

    /// Text for messages.
    public var description: String { "column \(column): \(problem)" }
}
