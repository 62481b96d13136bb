import Yams

/// Reads the one document of a YAML file, within limits: a file that was written to be read by people is small.
enum YAMLDocument {
    /// Bytes.
    static let sizeLimit = 1 << 20

    /// The document's root; nil, and a fault, when there is none to read.
    static func root(of text: String, faults: YAMLValue.FaultCollector) -> YAMLValue? {
        let start = SuitePlace(line: 1, column: 1)
        guard text.utf8.count <= sizeLimit else {
            faults.add("the file has \(text.utf8.count) bytes; expected at most \(sizeLimit)", at: start)
            return nil
        }
        if let line = lineOfCompoundKey(in: text) {
            faults.add(
                "a key that is an alias, a list or a mapping; expected a name",
                at: SuitePlace(line: line, column: 1)
            )
            return nil
        }
        do {
            guard let node = try Yams.compose(yaml: text) else {
                faults.add("the file is empty; expected a suite", at: start)
                return nil
            }
            return YAMLValue(node: node, path: "", faults: faults)
        } catch let error as YamlError {
            faults.add(problem(of: error), at: place(of: error))
        } catch {
            faults.add("\(error)", at: start)
        }
        return nil
    }

    /// The first line, counted from 1, with such a key, in a file that has aliases.
    ///
    /// Yams compares keys by all that is in them. Aliases of aliases may make a few lines stand for more than any machine
    /// holds; as values they are never written out, as keys they would be. A text that only looks so is refused as well.
    private static func lineOfCompoundKey(in text: String) -> Int? {
        guard text.contains(/(?:^|[\s\[,{:?-])\*[^\s,\[\]{}]/) else { return nil }
        // A line ends in any of the ways that YAML knows.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.firstIndex { line in
            line.contains(/(?:^|[\s\[,{-])\?(?:\s|$)|(?:^|[\s\[,{-])\*[^\s,\[\]{}]+\s*:|[\]}]\s*:|^\s*:/)
        }.map { $0 + 1 }
    }

    private static func problem(of error: YamlError) -> String {
        switch error {
        case .scanner(let context, let problem, _, _), .parser(let context, let problem, _, _),
            .composer(let context, let problem, _, _):
            if problem.contains("another document") { return "a second document begins; expected one suite a file" }
            let during = context.map { " (\($0.text) in line \($0.mark.line))" } ?? ""
            return "not YAML: \(problem)\(during)"
        case .reader(let problem, _, _, _): return "not YAML: \(problem)"
        case .duplicatedKeysInMapping(let duplicates, _):
            let keys = duplicates.map { "\"\($0)\"" }.joined(separator: ", ")
            return "\(keys) \(duplicates.count == 1 ? "is" : "are") given more than once; the first is here"
        default: return "not YAML: \(error)"
        }
    }

    private static func place(of error: YamlError) -> SuitePlace {
        switch error {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _):
            SuitePlace(line: mark.line, column: mark.column)
        case .duplicatedKeysInMapping(_, let context):
            SuitePlace(line: context.mark.line, column: context.mark.column)
        default: SuitePlace(line: 1, column: 1)
        }
    }
}
