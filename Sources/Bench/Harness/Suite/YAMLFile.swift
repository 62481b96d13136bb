import Basics
import Yams

/// The only document of a YAML file, within limits: a file for people is small.
package enum YAMLFile {
    static let sizeLimit = 1 << 20
    private static let start = LocatedNode.Place(line: 1, column: 1)

    /// Returns the document's root.
    static func node(of text: String, _ faults: FaultCollector, expected: String) throws(Faults) -> LocatedNode {
        do {
            if text.utf8.count > sizeLimit {
                faults.add("the file has \(text.utf8.count) bytes; expected at most \(sizeLimit)", at: start)
            } else if let line = lineOfCompoundKey(in: text) {
                let place = LocatedNode.Place(line: line, column: 1)
                faults.add("a key that is an alias, a list or a mapping; expected a name", at: place)
            } else if let node = try Yams.compose(yaml: text) {
                return LocatedNode(node)
            } else {
                faults.add("the file is empty; expected \(expected)", at: start)
            }
        } catch let error as YamlError {
            let (problem, place) = fault(of: error)
            faults.add(problem, at: place)
        } catch {
            faults.add("\(error)", at: start)
        }
        throw Faults(faults.faults)
    }

    /// Returns a value as YAML, its numbers as people write them.
    package static func text(_ value: some Encodable) throws -> String {
        guard let node = try Yams.compose(yaml: YAMLEncoder().encode(value)) else { return "" }
        return try Yams.serialize(node: plain(node), width: -1, allowUnicode: true)
    }

    /// Returns a node with numbers such as 500 in place of Yams' 5e+2.
    private static func plain(_ node: Node) -> Node {
        switch node {
        case .scalar(var scalar):
            if scalar.style == .plain, scalar.string.contains("e"), let number = Double(scalar.string) {
                scalar.string = NumberText.short(number)
            }
            return .scalar(scalar)
        case .sequence(let sequence): return Node(sequence.map(plain))
        case .mapping(let mapping):
            return Node(mapping.map { ($0, $0.string == "settings" ? settings($1) : plain($1)) })
        case .alias: return node
        }
    }

    /// Returns settings in the order of their names, without quotation marks around numbers and "off": a setting is a text.
    private static func settings(_ node: Node) -> Node {
        guard case .mapping(let mapping) = node else { return plain(node) }
        let sorted = mapping.sorted { ($0.key.string ?? "") < ($1.key.string ?? "") }
        return Node(
            sorted.map { key, value in
                guard let text = value.string, text.wholeMatch(of: /[\w.+-]+/) != nil, text.lowercased() != "null"
                else {
                    return (key, value)
                }
                return (key, Node(text, Tag(.implicit)))
            }
        )
    }

    /// Returns the first line, counted from 1, with such a key, in a file that has aliases.
    ///
    /// Yams compares keys by all of their contents. Aliases of aliases may expand a few lines to more than any
    /// machine holds; as values they are never written out, as keys they would be. A text that only looks so is
    /// refused as well.
    private static func lineOfCompoundKey(in text: String) -> Int? {
        guard text.contains(/(?:^|[\s\[,{:?-])\*[^\s,\[\]{}]/) else { return nil }
        // A line ends in any of the ways that YAML knows.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.firstIndex { line in
            line.contains(/(?:^|[\s\[,{-])\?(?:\s|$)|(?:^|[\s\[,{-])\*[^\s,\[\]{}]+\s*:|[\]}]\s*:|^\s*:/)
        }.map { $0 + 1 }
    }

    private static func fault(of error: YamlError) -> (problem: String, place: LocatedNode.Place) {
        func place(_ mark: Mark) -> LocatedNode.Place { .init(line: mark.line, column: mark.column) }
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            if problem.contains("another document") {
                return ("a second document begins; expected one per file", place(mark))
            }
            let during = context.map { " (\($0.text) in line \($0.mark.line))" } ?? ""
            return ("not YAML: \(problem)\(during)", place(mark))
        case .reader(let problem, _, _, _): return ("not YAML: \(problem)", start)
        case .duplicatedKeysInMapping(let duplicates, let context):
            let keys = duplicates.map { "\"\($0)\"" }.joined(separator: ", ")
            let are = duplicates.count == 1 ? "is" : "are"
            return ("\(keys) \(are) given more than once; the first occurrence is here", place(context.mark))
        default: return ("not YAML: \(error)", start)
        }
    }
}

extension LocatedNode {
    fileprivate init(_ node: Node) {
        let content: Content =
            switch node {
            case .scalar(let scalar):
                scalar.string.isEmpty
                    || scalar.style == .plain && ["~", "null", "Null", "NULL"].contains(scalar.string)
                    ? .empty : .plain(scalar.string)
            case .sequence(let sequence): .list { sequence.map(LocatedNode.init) }
            case .mapping(let mapping):
                .mapping {
                    mapping.map { key, value in
                        let key = LocatedNode(key)
                        return Entry(key: key.text ?? key.found, place: key.place, value: LocatedNode(value))
                    }
                }
            case .alias: .empty
            }
        self.init(content, Place(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1))
    }
}
