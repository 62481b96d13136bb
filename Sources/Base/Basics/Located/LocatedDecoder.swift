/// A decoder that goes on after a fault with a stand-in for the value, so that all faults of a file are found at once.
///
/// No stand-in leaves it: with any fault, ``decode(_:from:_:then:)`` throws. Types are plain `Decodable`; those with
/// further rules are ``Checked``.
public struct LocatedDecoder: Decoder {
    /// Nil inside a stand-in, of which nothing is reported.
    let node: LocatedNode?
    let path: NodePath
    let faults: FaultCollector
    let visit = Visit()

    /// Path of keys.
    public var codingPath: [any CodingKey] { [] }
    /// None.
    public var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Parts of a value that its type asked for.
    final class Visit {
        var type: (any Checked.Type)?
        var keys: [String] = []
        /// Number of elements of a list, and of those that were decoded; nil where no list was asked for.
        var elements: (count: Int, decoded: Int)?
        /// Whether the type is of mappings, and the value is none.
        var isNoMapping = false
    }

    /// Error of a value without a stand-in, whose fault is known.
    private struct NoStandIn: Error {}

    /// Decodes a file's value, and returns what `then` makes of it: a value with a stand-in for each fault, which `then`
    /// finds by its ``Checker``.
    public static func decode<Value: Decodable, Result>(
        _ type: Value.Type,
        from root: LocatedNode,
        _ faults: FaultCollector,
        then: (inout Value, Checker) -> Result
    ) throws(Faults) -> Result {
        let decoder = LocatedDecoder(node: root, path: .root, faults: faults)
        let value = try? decoder.value(type)
        let result = value.map { value in
            var value = value
            return then(&value, Checker(root, .root, at: root.place, faults))
        }
        try faults.check()
        guard let result else { throw Faults([Fault(file: faults.file, at: root.place, "cannot be read")]) }
        return result
    }

    package static func decode<Value: Decodable>(
        _ type: Value.Type,
        from root: LocatedNode,
        _ faults: FaultCollector
    ) throws(Faults) -> Value {
        try decode(type, from: root, faults) { value, _ in value }
    }

    func at(_ key: String, _ node: LocatedNode?) -> LocatedDecoder {
        if self.node?.text != nil { return LocatedDecoder(node: node, path: path, faults: faults) }
        return LocatedDecoder(node: node, path: .key(key, of: path), faults: faults)
    }

    func at(_ index: Int, _ node: LocatedNode?) -> LocatedDecoder {
        LocatedDecoder(node: node, path: .element(index, of: path), faults: faults)
    }

    func add(_ problem: String) { if let node { faults.add(problem, at: node.place, path: path.text) } }

    func unexpected(_ expected: String, among names: [String] = []) {
        guard let node else { return }
        let near = node.text.flatMap { NearName.of($0, among: names) }.map { "did you mean \"\($0)\"? " } ?? ""
        add("invalid value \(node.found); \(near)expected \(expected)")
    }

    /// Numbers of a mapping by their keys; none for anything else.
    public var figures: [String: Double] {
        (node?.entries ?? []).reduce(into: [:]) { figures, entry in
            if case .number(let figure) = entry.value.content { figures[entry.key] = figure }
        }
    }

    // MARK: Values

    /// Returns a value, or its stand-in.
    ///
    /// - Throws: an error for a value without a stand-in, whose fault is added.
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let scalar = type as? any ScalarOfFile.Type, let value = scalar.init(scalar: self) as? Value { return value }
        if let names = type as? any Named.Type, let value = named(names) as? Value { return value }
        if let cases = type as? any (CaseIterable & RawRepresentable<String>).Type, let value = choice(cases) as? Value
        {
            return value
        }
        if let parts = type as? any Divisible.Type, parts.isDivisible, let value = try parts.init(parts: self) as? Value
        {
            return value
        }
        let before = faults.count
        visit.type = type as? any Checked.Type
        var value: Value
        do {
            value = try Value(from: self)
        } catch {
            if faults.count == before { add(error.systemReason) }
            guard node != nil else { throw NoStandIn() }
            return try LocatedDecoder(node: nil, path: path, faults: faults).value(type)
        }
        guard let node else { return value }
        refuseOthers(node)
        if !visit.isNoMapping, var checked = value as? any Checked {
            checked.check(Checker(node, path, at: node.place, faults))
            if let same = checked as? Value { value = same }
        }
        return value
    }

    /// Adds faults for keys and elements that the type did not ask for.
    private func refuseOthers(_ node: LocatedNode) {
        if let elements = visit.elements, elements.decoded < elements.count {
            add("invalid value a list of \(elements.count); expected \(elements.decoded)")
        }
        guard !faults.ignoresUnknownKeys, !visit.keys.isEmpty else { return }
        for entry in node.entries ?? [] where !visit.keys.contains(entry.key) { refuse(entry, among: visit.keys) }
    }

    fileprivate func refuse(_ entry: LocatedNode.Entry, among keys: [String]) {
        let isNear = NearName.of(entry.key, among: keys) != nil
        let inside = isNear ? nil : visit.type?.others.map { "did you mean \"\($0).\(entry.key)\"?" }
        let hint = inside ?? NearName.hint(for: entry.key, among: keys)
        faults.add("unknown key; \(hint)", at: entry.place, path: at(entry.key, nil).path.text)
    }

    private func named<Name: Named>(_ type: Name.Type) -> Name? {
        if let name = node?.text {
            if let value = Name.named(name) { return value }
            add(
                Name.advice(for: name)
                    ?? "unknown \(Name.kind) \"\(name)\"; \(NearName.hint(for: name, among: Name.names))"
            )
        } else {
            unexpected("a \(Name.kind)")
        }
        return Name.names.first.flatMap(Name.named)
    }

    private func choice<Choice: CaseIterable & RawRepresentable<String>>(_ type: Choice.Type) -> Choice? {
        if let value = node?.text.flatMap(Choice.init(rawValue:)) { return value }
        let names = type.allCases.map(\.rawValue)
        unexpected(names.joined(separator: ", "), among: names)
        return type.allCases.first
    }

    // MARK: Scalars

    /// Returns what a scalar means, or its stand-in.
    fileprivate func scalar<Value>(
        _ expected: String,
        _ standIn: Value,
        _ read: (LocatedNode.Content) -> Value?
    ) -> Value {
        if let value = node.flatMap({ read($0.content) }) { return value }
        unexpected(expected)
        return standIn
    }

    // MARK: Containers

    /// Returns the value's members.
    public func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        if let node, node.text != nil, let short = visit.type?.short {
            let entry = LocatedNode.Entry(key: short.key, place: node.place, value: node)
            return KeyedDecodingContainer(Fields<Key>(decoder: self, entries: [entry]))
        }
        if node != nil, node?.entries == nil {
            visit.isNoMapping = true
            unexpected((visit.type?.short.map { "\($0.name), or " } ?? "") + "a mapping")
        }
        return KeyedDecodingContainer(Fields<Key>(decoder: self, entries: node?.entries ?? []))
    }

    /// Returns the value's elements.
    public func unkeyedContainer() -> any UnkeyedDecodingContainer { Elements(decoder: self, nodes: list()) }

    /// Returns the value itself.
    public func singleValueContainer() -> any SingleValueDecodingContainer { Scalar(decoder: self) }

    /// Returns the elements of a list.
    func list() -> [LocatedNode] {
        if node != nil, node?.elements == nil { unexpected("a list") }
        return node?.elements ?? []
    }
}

private protocol ScalarOfFile {
    init(scalar decoder: LocatedDecoder)
}

extension String: ScalarOfFile {
    fileprivate init(scalar decoder: LocatedDecoder) { self = decoder.scalar("text", "") { _ in decoder.node?.text } }
}

extension Bool: ScalarOfFile {
    fileprivate init(scalar decoder: LocatedDecoder) {
        self = decoder.scalar("true or false", false) { content in
            switch content {
            case .bool(let value): value
            // YAML 1.1 has both pairs.
            case .plain("true"), .plain("on"): true
            case .plain("false"), .plain("off"): false
            default: nil
            }
        }
    }
}

extension Double: ScalarOfFile {
    fileprivate init(scalar decoder: LocatedDecoder) {
        self = decoder.scalar("a number", 0) { content in
            switch content {
            case .number(let value): value
            case .plain(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
            default: nil
            }
        }
    }
}

extension ScalarOfFile where Self: FixedWidthInteger & LosslessStringConvertible {
    fileprivate init(scalar decoder: LocatedDecoder) {
        self = decoder.scalar("a whole number\(Self.min == 0 ? " from 0 to \(Self.max)" : "")", 0) { content in
            switch content {
            case .number(let value): Self(exactly: value)
            case .plain(let text): Self(text)
            default: nil
            }
        }
    }
}

extension Int: ScalarOfFile {}
extension UInt64: ScalarOfFile {}

/// A list or a mapping: a part that has a fault and no stand-in is left out.
private protocol Divisible {
    /// False for a dictionary that is a list of keys and values.
    static var isDivisible: Bool { get }
    init(parts decoder: LocatedDecoder) throws
}

extension Array: Divisible where Element: Decodable {
    fileprivate static var isDivisible: Bool { true }

    fileprivate init(parts decoder: LocatedDecoder) {
        self = decoder.list().enumerated().compactMap { try? decoder.at($0, $1).value(Element.self) }
    }
}

extension Dictionary: Divisible where Key: Decodable, Value: Decodable {
    fileprivate static var isDivisible: Bool { Key.self == String.self || Key.self is any CodingKeyRepresentable.Type }

    fileprivate init(parts decoder: LocatedDecoder) throws {
        self = [:]
        if decoder.node != nil, decoder.node?.entries == nil { decoder.unexpected("a mapping") }
        for entry in decoder.node?.entries ?? [] {
            if let key = Self.key(entry.key) {
                self[key] = try? decoder.at(entry.key, entry.value).value(Value.self)
            } else {
                decoder.refuse(entry, among: Self.keys)
            }
        }
    }

    private static func key(_ text: String) -> Key? {
        text as? Key ?? (Key.self as? any RawRepresentable<String>.Type)?.init(rawValue: text) as? Key
    }

    private static var keys: [String] {
        func names<Choice: CaseIterable & RawRepresentable<String>>(_ type: Choice.Type) -> [String] {
            type.allCases.map(\.rawValue)
        }
        return (Key.self as? any (CaseIterable & RawRepresentable<String>).Type).map { names($0) } ?? []
    }
}

extension Decoder {
    /// Text of the value in a file that people write; nil for anything else.
    public var scalarText: String? { (self as? LocatedDecoder)?.node?.text }
}

/// One value, or a list of them.
public struct OneOrMore<Element: Codable & Sendable>: Codable, Sendable {
    package var values: [Element]

    package init(_ values: [Element]) { self.values = values }

    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let node = (decoder as? LocatedDecoder)?.node
        let isOne = node != nil && node?.elements == nil
        values = isOne ? [try container.decode(Element.self)] : try container.decode([Element].self)
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        if values.count == 1 { try values[0].encode(to: encoder) } else { try values.encode(to: encoder) }
    }
}

// MARK: Containers

private struct Scalar: SingleValueDecodingContainer {
    let decoder: LocatedDecoder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { decoder.node?.isNull ?? true }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(type) }
}

private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: LocatedDecoder
    let entries: [LocatedNode.Entry]
    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        decoder.visit.keys += entries.map(\.key)
        return entries.compactMap { Key(stringValue: $0.key) }
    }

    private func ask(_ key: Key) -> LocatedNode? {
        let name = key.stringValue
        if !decoder.visit.keys.contains(name) { decoder.visit.keys.append(name) }
        return entries.first { $0.key == name }?.value
    }

    func contains(_ key: Key) -> Bool { ask(key) != nil }

    func decodeNil(forKey key: Key) -> Bool {
        ask(key)?.isNull ?? true
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try field(key).value(type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
        decodeNil(forKey: key) ? nil : try? field(key).value(type)
    }

    private func field(_ key: Key) -> LocatedDecoder {
        let node = ask(key)
        let field = decoder.at(key.stringValue, node)
        guard let mapping = decoder.node, !decoder.visit.isNoMapping, node?.isNull ?? true else { return field }
        if let standard = decoder.visit.type?.defaults[key.stringValue] {
            return decoder.at(key.stringValue, LocatedNode(standard, mapping.place))
        }
        if node == nil { decoder.faults.add("the key is missing", at: mapping.place, path: field.path.text) }
        return field
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    )
        -> KeyedDecodingContainer<Nested>
    { field(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { field(key).unkeyedContainer() }

    func superDecoder() -> any Decoder { decoder }

    func superDecoder(forKey key: Key) -> any Decoder { field(key) }
}

private struct Elements: UnkeyedDecodingContainer {
    let decoder: LocatedDecoder
    let nodes: [LocatedNode]
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }

    init(decoder: LocatedDecoder, nodes: [LocatedNode]) {
        (self.decoder, self.nodes) = (decoder, nodes)
        decoder.visit.elements = (nodes.count, 0)
    }

    var count: Int? { nodes.count }

    var isAtEnd: Bool { currentIndex >= nodes.count }

    private mutating func next() -> LocatedDecoder {
        let element = decoder.at(currentIndex, isAtEnd ? nil : nodes[currentIndex])
        if isAtEnd { decoder.add("invalid value a list of \(nodes.count); expected more elements") }
        currentIndex += 1
        decoder.visit.elements?.decoded = currentIndex
        return element
    }

    func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().value(type) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
        next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { next().unkeyedContainer() }

    mutating func superDecoder() -> any Decoder { next() }
}
