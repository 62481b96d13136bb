package import Basics
package import Foundation

package enum JSONLine {
    package static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + [0x0A]
    }

    package static func decode<Value: Decodable>(_ type: Value.Type, from line: some Sequence<UInt8>) -> Value? {
        try? JSONDecoder().decode(type, from: Data(line))
    }
}

/// Text of a JSON object in which values can be set: the other numbers keep their digits, unknown fields are kept.
package struct JSONObjectText {
    package private(set) var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package mutating func set(_ values: [String: String]) throws(JSONFault) {
        try set(values.mapValues(Self.encoded))
    }

    /// Sets members to JSON; a member of the outermost object that is missing is added at its end.
    package mutating func set(_ values: [String: [UInt8]]) throws(JSONFault) {
        let members = Self.members(of: try JSONParser.node(bytes), under: "")
        let known = values.compactMap { path, value in members[path].map { ($0, value) } }
        // The last value is set first, so that earlier positions remain valid.
        for (range, value) in known.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            bytes.replaceSubrange(range, with: value)
        }
        for (key, value) in values.sorted(by: { $0.key < $1.key }) where members[key] == nil {
            guard let end = bytes.lastIndex(of: UInt8(ascii: "}")) else { return }
            let comma: [UInt8] = bytes[..<end].contains(UInt8(ascii: ":")) ? [UInt8(ascii: ",")] : []
            bytes.insert(contentsOf: comma + Self.encoded(key) + [UInt8(ascii: ":")] + value, at: end)
        }
    }

    /// Returns the bytes of all objects' members by their paths: "split", "books[2].id".
    private static func members(of node: LocatedNode, under path: String) -> [String: Range<Int>] {
        switch node.content {
        case .mapping(let entries):
            entries().reduce(into: [:]) { members, entry in
                let path = path.isEmpty ? entry.key : "\(path).\(entry.key)"
                members[path] = entry.value.bytes
                members.merge(Self.members(of: entry.value, under: path)) { $1 }
            }
        case .list(let elements):
            elements().enumerated().reduce(into: [:]) { members, element in
                members.merge(Self.members(of: element.element, under: "\(path)[\(element.offset)]")) { $1 }
            }
        default: [:]
        }
    }

    package static func encoded(_ text: String) -> [UInt8] {
        // A text can be encoded always.
        (try? JSONLine.encode(text)).map { Array($0.dropLast()) } ?? []
    }
}
