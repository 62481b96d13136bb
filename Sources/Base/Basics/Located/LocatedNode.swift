/// A value of a file that people write, with its place.
public struct LocatedNode {
    /// A value as it stands in the file.
    public enum Content {
        /// Null of JSON: a missing value.
        case null
        /// Null of YAML: a value that was forgotten.
        case empty
        case bool(Bool)
        case number(Double)
        case text(String)
        /// Scalar of YAML: text, a number or a Boolean, as its reader asks.
        case plain(String)
        /// Lists and mappings are made when they are read: aliases of YAML may stand for more than a machine holds.
        case list(() -> [LocatedNode])
        case mapping(() -> [Entry])
    }

    /// Member of a mapping.
    public struct Entry {
        package var key: String
        package var place: Place
        package var value: LocatedNode

        package init(key: String, place: Place, value: LocatedNode) {
            (self.key, self.place, self.value) = (key, place, value)
        }
    }

    /// Place in a file, both counted from 1; columns count bytes in JSON, and characters in YAML.
    public struct Place: Sendable, Equatable {
        package var line: Int
        package var column: Int

        package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
    }

    package let content: Content
    package let place: Place
    /// Bytes of the value in the text of JSON; empty in YAML.
    public let bytes: Range<Int>

    package init(_ content: Content, _ place: Place, bytes: Range<Int> = 0..<0) {
        (self.content, self.place, self.bytes) = (content, place, bytes)
    }

    var entries: [Entry]? { if case .mapping(let entries) = content { entries() } else { nil } }

    var elements: [LocatedNode]? { if case .list(let elements) = content { elements() } else { nil } }

    /// Text of a scalar; nil for null, numbers and Booleans of JSON, lists and mappings.
    public var text: String? {
        switch content {
        case .text(let text), .plain(let text): text
        default: nil
        }
    }

    /// Whether it stands for a missing value.
    var isNull: Bool { if case .null = content { true } else { false } }

    /// Value as a message names it.
    public var found: String {
        switch content {
        case .null: "null"
        case .empty: "nothing"
        case .bool(let value): "\(value)"
        case .number(let value): NumberText.short(value)
        case .text(let text), .plain(let text): text.count > 60 ? "\"\(text.prefix(60))…\"" : "\"\(text)\""
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }
}

/// The keys and indexes that lead to a value: "variants[1].settings.threads".
indirect enum NodePath {
    case root
    case key(String, of: NodePath)
    case element(Int, of: NodePath)

    var text: String {
        switch self {
        case .root: ""
        case .key(let key, .root): key
        case .key(let key, let parent): "\(parent.text).\(key)"
        case .element(let index, let parent): "\(parent.text)[\(index)]"
        }
    }
}
