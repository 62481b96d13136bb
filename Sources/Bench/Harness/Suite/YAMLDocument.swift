import Yams

/// Reader of the only document of a YAML file, within limits: a file for people is small.
enum YAMLDocument {
    /// Bytes.
    static let sizeLimit = 1 << 20
    private static let start = SuitePlace(line: 1, column: 1)

    /// Returns the document's root; nil, and a fault, when there is none to read.
    static func root(of text: String, faults: YAMLValue.FaultCollector) -> YAMLValue? {
        do {
            if text.utf8.count > sizeLimit {
                faults.add("the file has \(text.utf8.count) bytes; expected at most \(sizeLimit)", at: start)
            } else if let line = lineOfCompoundKey(in: text) {
                let place = SuitePlace(line: line, column: 1)
                faults.add("a key that is an alias, a list or a mapping; expected a name", at: place)
            } else if let node = try Yams.compose(yaml: text) {
                return YAMLValue(node: node, path: "", faults: faults)
            } else {
                faults.add("the file is empty; expected a suite", at: start)
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
