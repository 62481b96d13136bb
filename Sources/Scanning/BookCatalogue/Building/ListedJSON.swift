import Basics

extension JSONValue {
    /// The texts in it: its own, those of a list's items, the name of an object; none of true, false and null.
    var texts: [String] {
        switch self {
        case .string(let text): text.isEmpty ? [] : [text.contains { $0.isNewline || $0 == "\t" } ? spaced(text) : text]
        case .array(let items): items.flatMap(\.texts)
        case .object(let members): ["name", "value", "title", "key"].lazy.compactMap { members[$0]?.texts }.first ?? []
        case .null, .bool, .number: []
        }
    }

    /// The member of an object; nil where there is none.
    subscript(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The object that all of a row is; its numbers are texts.
    ///
    /// - Throws: ``RowFault`` when there is none.
    static func row(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowFault) -> [String: JSONValue] {
        do {
            if case .object(let members) = try JSONParser.parse(bytes, mode: .tolerant) { return members }
        } catch {
            throw RowFault("not valid JSON: \(error)")
        }
        throw RowFault("not a JSON object")
    }

    private func spaced(_ text: String) -> String {
        String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }
}
