/// Meanings of a table's columns, or of the keys of JSON objects.
struct TableColumns {
    /// Names by the field that the caller wants them to be; "-" for none at all.
    private let overrides: [LabelField: String]
    /// Meaning of each name that was seen; nil for one that means nothing.
    private(set) var meanings: [String: LabelField?] = [:]

    init(overrides: [LabelField: String]) { self.overrides = overrides }

    /// Meanings of `names`, those of one table or one object.
    ///
    /// - Returns: Fields by name, and what is wrong: names that cannot both be one field.
    mutating func resolve(_ names: [String]) -> (fields: [String: LabelField], faults: [String]) {
        var seen: Set<String> = []
        let names = names.filter { seen.insert($0).inserted }
        var fields: [String: LabelField] = [:]
        var faults: [String] = []
        for field in LabelField.allCases {
            if let override = overrides[field] {
                if names.contains(override) { fields[override] = field }
                continue
            }
            let candidates = names.filter { LabelField.named($0) == field && !overrides.values.contains($0) }
            let exact = candidates.filter { LabelField.exactly($0) == field }
            let chosen = exact.isEmpty ? candidates : exact
            if chosen.count > 1 {
                let list = chosen.map { "\"\($0)\"" }.joined(separator: " and ")
                faults.append("\(list) can both be the \(field.rawValue); choose by --column \(field.rawValue)=NAME")
            } else if let name = chosen.first {
                fields[name] = field
            }
        }
        for name in names where meanings[name] == nil { meanings[name] = .some(fields[name]) }
        return (fields, faults)
    }

    /// "title ← book_title", for every field that was found, and the names that mean nothing.
    var remarks: [String] {
        let known = meanings.compactMap { name, field in field.map { (field: $0, name: name) } }
        let order = LabelField.allCases
        let mapped = known.sorted { a, b in
            let (left, right) = (order.firstIndex(of: a.field) ?? 0, order.firstIndex(of: b.field) ?? 0)
            return (left, a.name) < (right, b.name)
        }
        let ignored = meanings.filter { $0.value == nil }.keys.sorted()
        return mapped.map { "\($0.field.rawValue) ← \($0.name)" }
            + (ignored.isEmpty ? [] : ["left out: \(ignored.joined(separator: ", "))"])
    }
}
