/// An object of JSON: the fields of a content and further ones; nil is omitted.
package struct Members: Encodable {
    var content: (any Encodable)?
    let fields: KeyValuePairs<String, (any Encodable)?>

    package init(content: (any Encodable)? = nil, fields: KeyValuePairs<String, (any Encodable)?>) {
        (self.content, self.fields) = (content, fields)
    }

    package func encode(to encoder: any Encoder) throws {
        try content?.encode(to: encoder)
        var container = encoder.container(keyedBy: FieldName.self)
        for case (let name, let value?) in fields { try container.encode(value, forKey: FieldName(name)) }
    }
}

/// Any name of a field.
package struct FieldName: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(_ name: String) { stringValue = name }
    package init(stringValue: String) { self.init(stringValue) }
    package init?(intValue: Int) { nil }
}
