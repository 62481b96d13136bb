/// Fault of a file that has to be mended.
public struct Fault: Sendable, Equatable, CustomStringConvertible {
    /// File as the caller named it.
    public var file: String
    /// Line and column, counted from 1; nil where the fault is in no single one.
    public var line: Int?
    package var column: Int?
    /// The keys that lead there; empty for the file, or its line, as a whole.
    public var path: String
    package var problem: String

    package init(file: String, at place: LocatedNode.Place?, path: String = "", _ problem: String) {
        (self.file, line, column) = (file, place?.line, place?.column)
        (self.path, self.problem) = (path, problem)
    }

    package init(file: String, line: Int? = nil, message problem: String) {
        (self.file, self.line, path, self.problem) = (file, line, "", problem)
    }

    /// The problem behind the keys that lead to it.
    public var text: String { (path.isEmpty ? "" : path + ": ") + problem }

    /// Description in the form of compilers: "x.yaml:3:12: variants[0].bas: unknown key".
    public var description: String {
        let place = [line, column].compactMap { $0.map { "\($0):" } }.joined()
        return "\(file):\(place) \(text)"
    }
}

/// Error of files that cannot be used: their faults, in the order of places.
public struct Faults: Error, Sendable, Equatable, CustomStringConvertible {
    /// Most faults that a text lists: a million would take longer to print than to find.
    static let limit = 200

    package var faults: [Fault]

    package init(_ faults: [Fault]) { self.faults = faults }

    /// A line for each of the first faults, and one for the others.
    public var lines: [String] {
        let more = faults.count - Self.limit
        return faults.prefix(Self.limit).map(\.description) + (more > 0 ? ["… and \(more) more"] : [])
    }

    /// Text for messages.
    public var description: String { lines.joined(separator: "\n") }
}

/// Faults of one file while it is read.
public final class FaultCollector {
    let file: String
    /// Whether keys that a type does not have are ignored, as in labels, which other programs use, too.
    let ignoresUnknownKeys: Bool
    private var all: [Fault] = []

    /// Creates a collector of a file's faults.
    public init(file: String, ignoresUnknownKeys: Bool = false) {
        (self.file, self.ignoresUnknownKeys) = (file, ignoresUnknownKeys)
    }

    /// Faults in the order of places.
    public var faults: [Fault] {
        func order(_ item: (offset: Int, element: Fault)) -> (Int, Int, Int) {
            (item.element.line ?? 0, item.element.column ?? 0, item.offset)
        }
        return all.enumerated().sorted { order($0) < order($1) }.map(\.element)
    }

    var count: Int { all.count }

    package func add(_ problem: String, at place: LocatedNode.Place, path: String = "") {
        let fault = Fault(file: file, at: place, path: path, problem)
        if !all.contains(fault) { all.append(fault) }
    }

    /// Whether a value or one inside it has a fault.
    func hasFault(under path: String) -> Bool {
        all.contains { fault in
            guard fault.path.hasPrefix(path) else { return false }
            let rest = fault.path.dropFirst(path.count)
            return path.isEmpty || rest.isEmpty || rest.hasPrefix(".") || rest.hasPrefix("[")
        }
    }

    package func check() throws(Faults) { if !all.isEmpty { throw Faults(faults) } }
}

/// Type with rules beyond the types of its fields.
public protocol Checked {
    /// Values of keys that may be missing, though their properties are not optional.
    static var defaults: [String: LocatedNode.Content] { get }
    /// Key whose value may stand for a mapping with nothing else, and its name in messages; nil without one.
    static var short: (key: String, name: String)? { get }
    /// Key of the mapping that keys which the type lacks probably belong into; nil without one.
    static var others: String? { get }

    /// Adds the faults of a value; one that is missing or has a fault already holds a stand-in.
    mutating func check(_ at: Checker)
}

extension Checked {
    /// None.
    public static var defaults: [String: LocatedNode.Content] { [:] }
    /// None.
    public static var short: (key: String, name: String)? { nil }
    /// None.
    public static var others: String? { nil }
}

/// Type whose values are names that are not its cases: metrics, devices.
public protocol Named {
    static var kind: String { get }
    static var names: [String] { get }
    static func named(_ name: String) -> Self?
    /// Returns what to write in place of a name that has no value any more.
    static func advice(for name: String) -> String?
}

/// Place of a value that was decoded.
public struct Checker {
    /// Nil where there is no value.
    let node: LocatedNode?
    let path: NodePath
    /// Place of the value, or of the mapping that lacks it.
    public let place: LocatedNode.Place
    /// Place of the value's key.
    let keyPlace: LocatedNode.Place
    let faults: FaultCollector

    init(
        _ node: LocatedNode?,
        _ path: NodePath,
        at place: LocatedNode.Place,
        keyPlace: LocatedNode.Place? = nil,
        _ faults: FaultCollector
    ) {
        (self.node, self.path, self.faults) = (node, path, faults)
        (self.place, self.keyPlace) = (node?.place ?? place, keyPlace ?? place)
    }

    /// The value under a key.
    public subscript(_ key: String) -> Checker {
        // A scalar that stands for a mapping.
        if node?.text != nil { return self }
        let entry = node?.entries?.first { $0.key == key }
        return Checker(entry?.value, .key(key, of: path), at: place, keyPlace: entry?.place, faults)
    }

    package subscript(_ index: Int) -> Checker {
        let elements = node?.elements ?? []
        // What may be one value or a list has no element where it is one.
        if node?.elements == nil { return self }
        let element = elements.indices.contains(index) ? elements[index] : nil
        return Checker(element, .element(index, of: path), at: place, faults)
    }

    /// Keys of a mapping, in their order.
    public var keys: [String] { node?.entries?.map(\.key) ?? [] }

    /// Whether there is a value.
    public var isGiven: Bool { node.map { !$0.isNull } ?? false }

    /// Whether there is a value, if only null.
    public var isStated: Bool { node != nil }

    /// Whether there is a value, which was read without a fault in it.
    public var isSound: Bool { isGiven && (faults.count == 0 || !faults.hasFault(under: path.text)) }

    /// Adds a fault of this value.
    public func fault(_ problem: String) { faults.add(problem, at: place, path: path.text) }

    package func faultOfKey(_ problem: String) { faults.add(problem, at: keyPlace, path: path.text) }

    /// Adds a fault: something else was expected.
    public func unexpected(_ expected: String) {
        fault("invalid value \(node?.found ?? "null"); expected \(expected)")
    }

    package func unknown(_ kind: String, _ name: String, among names: [String]) {
        fault("unknown \(kind) \"\(name)\"; \(NearName.hint(for: name, among: names))")
    }

    /// Adds the fault of a number outside a range, which excludes its lower end where `isOpen`.
    public func range<Number: Comparable>(
        _ value: Number?,
        _ range: ClosedRange<Number>,
        above isOpen: Bool = false,
        _ unit: String = ""
    ) {
        guard let value, isSound, !range.contains(value) || isOpen && value == range.lowerBound else { return }
        func text(_ number: Number) -> String { (number as? Double).map(NumberText.short) ?? "\(number)" }
        let (low, high) = (text(range.lowerBound), text(range.upperBound))
        let kind = value is Double ? "number" : "whole number"
        let unit = unit.isEmpty ? "" : " " + unit
        unexpected(
            isOpen ? "a \(kind) above \(low), at most \(high)\(unit)" : "a \(kind) from \(low) to \(high)\(unit)"
        )
    }

    /// Adds the fault of an empty text, or one of spaces.
    public func filled(_ text: String?) {
        if let text, isSound, text.allSatisfy(\.isWhitespace) { fault("empty text") }
    }

    /// Adds faults of equal elements; `name` names one of them.
    public func unique<Element: Hashable>(_ elements: [Element], _ name: (Element) -> String) {
        var seen: Set<Element> = []
        for (index, element) in elements.enumerated() where !seen.insert(element).inserted {
            self[index].fault("\(name(element)) is listed twice")
        }
    }

    /// Adds a fault unless exactly one of these keys is given; returns whether it is.
    @discardableResult
    public func one(of keys: [String]) -> Bool {
        let given = keys.filter { self[$0].isGiven }
        if given.count != 1 {
            let found = given.isEmpty ? "none" : given.joined(separator: " and ")
            fault("expected exactly one of \(keys.joined(separator: ", ")); found \(found)")
        }
        return given.count == 1
    }
}
