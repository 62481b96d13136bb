extension JSONValue {
    /// Member of an object; nil for any other value.
    public subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// Text; nil for any other value.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// Number; nil for any other value.
    public var number: Double? { if case .number(let number) = self { number } else { nil } }

    /// Elements of a list; nil for any other value.
    public var list: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// Text itself, or the texts in a list; empty for any other value.
    public var texts: [String] { text.map { [$0] } ?? list?.compactMap(\.text) ?? [] }

    /// Whether it is an object.
    public var isObject: Bool { if case .object = self { true } else { false } }
}
