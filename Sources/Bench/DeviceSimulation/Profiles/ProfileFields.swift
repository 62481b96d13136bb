import Basics

/// Fields of a profile's or a recording's JSON, with their positions and all faults of the requested ones.
struct ProfileFields {
    let file: String
    private let members: [String: Range<Int>]
    private let lineStarts: [Int]
    private let firstLine: Int
    /// Faults in the order in which the fields were requested.
    private(set) var faults: [ProfileFault] = []

    init(file: String, bytes: [UInt8], members: [String: Range<Int>], firstLine: Int = 1) {
        (self.file, self.members, self.firstLine) = (file, members, firstLine)
        lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    /// Returns the position of a member's value in the file; nil when there is none.
    func place(of path: String) -> Range<Int>? { members[path] }

    mutating func fault(_ path: String, _ problem: String) {
        // A missing key has the position of the object that lacks it.
        var known = path
        while !known.isEmpty, members[known] == nil { known = Self.parent(of: known) }
        let offset = members[known]?.lowerBound ?? 0
        let line = lineStarts.count { $0 <= offset } + firstLine - 1
        faults.append(ProfileFault(file: file, line: line, key: path, problem: problem))
    }

    private static func parent(of path: String) -> String {
        path.lastIndex { $0 == "." || $0 == "[" }.map { String(path[..<$0]) } ?? ""
    }

    /// Returns an object's fields; nil with a fault when it is none, and a fault for each key that is not known.
    mutating func object(_ value: JSONValue?, _ path: String, keys: [String]?) -> [String: JSONValue]? {
        guard case .object(let fields)? = value else { return wrong(value, path, expected: "an object") }
        guard let keys else { return fields }
        for key in fields.keys.sorted() where !keys.contains(key) {
            fault(Self.join(path, key), "unknown key; \(NearName.hint(for: key, among: keys))")
        }
        return fields
    }

    /// Returns text with something in it; "" with a fault otherwise.
    mutating func text(_ value: JSONValue?, _ path: String) -> String {
        guard case .string(let text)? = value else { return wrong(value, path, expected: "text") ?? "" }
        if text.allSatisfy(\.isWhitespace) { fault(path, "is empty") }
        return text
    }

    /// Returns a number in a range; nil with a fault otherwise.
    mutating func number(_ value: JSONValue?, _ path: String, in range: ClosedRange<Double>, unit: String) -> Double? {
        let ends = [range.lowerBound, range.upperBound].map(NumberText.short).joined(separator: " to ")
        let expected = ends + (unit.isEmpty ? "" : " " + unit)
        guard case .number(let number)? = value else { return wrong(value, path, expected: "a number, \(expected)") }
        guard range.contains(number) else {
            fault(path, "is \(NumberText.short(number)); expected \(expected)")
            return nil
        }
        return number
    }

    /// Returns the numbers of an object in a range; none with a fault for each other one.
    mutating func numbers(
        _ value: JSONValue?,
        _ path: String,
        keys: [String]?,
        in range: ClosedRange<Double>
    )
        -> [String: Double]
    {
        var numbers: [String: Double] = [:]
        for (key, part) in (object(value, path, keys: keys) ?? [:]).sorted(by: { $0.key < $1.key }) {
            numbers[key] = number(part, Self.join(path, key), in: range, unit: "")
        }
        return numbers
    }

    /// Returns one of a type's names; nil with a fault otherwise.
    mutating func choice<Value>(_ value: JSONValue?, _ path: String, of type: Value.Type) -> Value?
    where Value: CaseIterable & RawRepresentable<String> {
        let names = Value.allCases.map(\.rawValue)
        guard case .string(let text)? = value else {
            return wrong(value, path, expected: "one of \(names.joined(separator: ", "))")
        }
        if let known = Value(rawValue: text) { return known }
        let near = NearName.of(text, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
        fault(path, "is \"\(text)\"; expected one of \(names.joined(separator: ", "))\(near)")
        return nil
    }

    /// Records the fault of a missing value, or of another kind; returns nil.
    @discardableResult
    mutating func wrong<Value>(_ value: JSONValue?, _ path: String, expected: String) -> Value? {
        fault(path, value.map { "is \($0.kind); expected \(expected)" } ?? "is missing; expected \(expected)")
        return nil
    }

    static func join(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}
