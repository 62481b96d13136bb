import Basics
import Yams

/// Value of a YAML file with the keys that lead to it; its faults are added to a list.
struct YAMLValue {
    var node: Node
    var path: String
    var faults: FaultCollector

    final class FaultCollector {
        let file: String
        private(set) var faults: [SuiteFault] = []

        init(file: String) { self.file = file }

        func add(_ problem: String, at place: SuitePlace) {
            let fault = SuiteFault(file: file, place: place, problem: problem)
            if !faults.contains(fault) { faults.append(fault) }
        }
    }

    var place: SuitePlace { SuitePlace(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1, path: path) }

    func fault(_ problem: String) { faults.add(problem, at: place) }

    func unexpected(_ expected: String) { fault("invalid value \(found); expected \(expected)") }

    /// Written value, shortened, or its kind.
    private var found: String {
        switch node {
        case .scalar(let scalar) where isNull: scalar.string.isEmpty ? "nothing" : scalar.string
        case .scalar(let scalar):
            scalar.string.count > 60 ? "\"\(scalar.string.prefix(60))…\"" : "\"\(scalar.string)\""
        case .sequence: "a list"
        case .mapping: "a mapping"
        case .alias: "an alias"
        }
    }

    private var isNull: Bool {
        guard case .scalar(let scalar) = node, scalar.style == .plain else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }

    func unknown(_ kind: String, _ name: String, among names: [String]) {
        fault("unknown \(kind) \"\(name)\"; \(NearName.hint(for: name, among: names))")
    }

    // MARK: Scalars

    /// The text of a scalar that is not null: a number or `off` as it was written.
    var text: String? {
        guard case .scalar(let scalar) = node, !isNull else { return nil }
        return scalar.string
    }

    private func expect<Value>(_ value: Value?, _ expected: String) -> Value? {
        if value == nil { unexpected(expected) }
        return value
    }

    func text(expected: String) -> String? { expect(text.flatMap { $0.isEmpty ? nil : $0 }, expected) }

    func bool() -> Bool? { expect(text.flatMap(Bool.init), "true or false") }

    func integer<Value: FixedWidthInteger>(_ range: ClosedRange<Value>) -> Value? {
        let value = text.flatMap { Value($0) }.flatMap { range.contains($0) ? $0 : nil }
        return expect(value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }

    /// Returns a number in a range; without its lower end where that is not allowed.
    func number(_ range: ClosedRange<Double>, above isOpen: Bool = false) -> Double? {
        let value = text.flatMap(Double.init).flatMap { value in
            range.contains(value) && !(isOpen && value == range.lowerBound) ? value : nil
        }
        let (low, high) = (NumberText.short(range.lowerBound), NumberText.short(range.upperBound))
        return expect(value, isOpen ? "a number above \(low), at most \(high)" : "a number from \(low) to \(high)")
    }

    func choice<Value: RawRepresentable<String> & CaseIterable>(_ type: Value.Type) -> Value? {
        let names = Value.allCases.map(\.rawValue)
        if let value = text.flatMap(Value.init) { return value }
        let near = text.flatMap { NearName.of($0, among: names) }.map { "did you mean \"\($0)\"? " } ?? ""
        fault("invalid value \(found); \(near)expected \(names.joined(separator: ", "))")
        return nil
    }

    // MARK: Lists and mappings

    /// The elements of a list; nil for anything else.
    var elements: [YAMLValue]? {
        guard case .sequence(let sequence) = node else { return nil }
        return sequence.enumerated().map { YAMLValue(node: $1, path: "\(path)[\($0)]", faults: faults) }
    }

    func list(expected: String) -> [YAMLValue] { expect(elements, expected) ?? [] }

    var oneOrMore: [YAMLValue] { elements ?? [self] }

    /// Returns the values of a mapping by their keys, in order; nil, and a fault, for anything else.
    func entries(expected: String) -> [Entry]? {
        guard case .mapping(let mapping) = node else {
            unexpected(expected)
            return nil
        }
        return mapping.compactMap { key, value in
            let prefix = path.isEmpty ? "" : path + "."
            let name = YAMLValue(node: key, path: path, faults: faults)
            guard let text = name.text else {
                name.unexpected("a key")
                return nil
            }
            let keyed = YAMLValue(node: key, path: prefix + text, faults: faults)
            return Entry(
                key: text,
                place: keyed.place,
                value: YAMLValue(node: value, path: prefix + text, faults: faults)
            )
        }
    }

    /// Returns the values of a mapping that may have these keys and no others.
    func fields(_ known: [String], expected: String) -> [String: YAMLValue]? {
        guard let entries = entries(expected: expected) else { return nil }
        var fields: [String: YAMLValue] = [:]
        for entry in entries {
            if known.contains(entry.key) {
                fields[entry.key] = entry.value
            } else {
                faults.add("unknown key; \(NearName.hint(for: entry.key, among: known))", at: entry.place)
            }
        }
        return fields
    }

    struct Entry {
        var key: String
        var place: SuitePlace
        var value: YAMLValue
    }
}

/// Reader of the only document of a YAML file, within limits: a file for people is small.
enum YAMLDocument {
    static let sizeLimit = 1 << 20
    private static let start = SuitePlace(line: 1, column: 1)

    /// Returns the document's root; nil, and a fault, when there is none to read.
    static func root(
        of text: String,
        faults: YAMLValue.FaultCollector,
        expected: String = "a suite"
    ) -> YAMLValue? {
        do {
            if text.utf8.count > sizeLimit {
                faults.add("the file has \(text.utf8.count) bytes; expected at most \(sizeLimit)", at: start)
            } else if let line = lineOfCompoundKey(in: text) {
                let place = SuitePlace(line: line, column: 1)
                faults.add("a key that is an alias, a list or a mapping; expected a name", at: place)
            } else if let node = try Yams.compose(yaml: text) {
                return YAMLValue(node: node, path: "", faults: faults)
            } else {
                faults.add("the file is empty; expected \(expected)", at: start)
            }
        } catch let error as YamlError {
            let (problem, place) = fault(of: error)
            faults.add(problem, at: place)
        } catch {
            faults.add("\(error)", at: start)
        }
        return nil
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

    private static func fault(of error: YamlError) -> (problem: String, place: SuitePlace) {
        func place(_ mark: Mark) -> SuitePlace { SuitePlace(line: mark.line, column: mark.column) }
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            if problem.contains("another document") {
                return ("a second document begins; expected one suite per file", place(mark))
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
