package import Basics

extension JSONValue {
    /// Member of an object; nil for any other value.
    package subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    package var text: String? { if case .string(let text) = self { text } else { nil } }

    package var number: Double? { if case .number(let number) = self { number } else { nil } }

    /// Elements of a list; nil for any other value.
    package var list: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// Text itself, or the texts in a list; empty for any other value.
    package var texts: [String] { text.map { [$0] } ?? list?.compactMap(\.text) ?? [] }

    package var isObject: Bool { if case .object = self { true } else { false } }
}
