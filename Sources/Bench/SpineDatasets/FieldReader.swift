import Basics
import Foundation
import Imaging

/// Fields of a labelled object, and the faults of the requested ones.
struct FieldReader {
    private let fields: [String: JSONValue]
    /// Prefix of a field's name in messages: "books[2].".
    let path: String
    var faults: [String] = []

    init(_ fields: [String: JSONValue], path: String = "") { (self.fields, self.path) = (fields, path) }

    /// The field's value; nil when it is missing or null.
    subscript(_ name: String) -> JSONValue? {
        guard let value = fields[name] else { return nil }
        if case .null = value { return nil }
        return value
    }

    /// Returns whether the field exists, if only as null.
    func states(_ name: String) -> Bool { fields[name] != nil }

    mutating func fault(_ name: String, _ problem: String) { faults.append("\"\(path)\(name)\" \(problem)") }

    mutating func refused<Value>(_ name: String, _ problem: String) -> Value? {
        fault(name, problem)
        return nil
    }

    /// Returns text that has to be there; "" with a fault otherwise.
    mutating func text(_ name: String, mayBeEmpty: Bool = false, mayHaveBreaks: Bool = false) -> String {
        guard let value = fields[name] else {
            fault(name, "is missing")
            return ""
        }
        let text = text(of: value, name, mayHaveBreaks: mayHaveBreaks)
        if text?.isEmpty == true && !mayBeEmpty { fault(name, "is empty") }
        return text ?? ""
    }

    /// Returns text that may be missing; nil when it is, or is empty.
    mutating func optionalText(_ name: String, mayHaveBreaks: Bool = false) -> String? {
        guard let value = self[name], let text = text(of: value, name, mayHaveBreaks: mayHaveBreaks) else { return nil }
        return text.isEmpty ? nil : text
    }

    /// Returns a list of texts, none of them empty; nil when it is missing.
    mutating func texts(_ name: String) -> [String]? {
        guard let value = self[name] else { return nil }
        guard case .array(let elements) = value else {
            return refused(name, "is \(value.kind); expected a list of texts")
        }
        return elements.enumerated().map { index, element in
            nested(["\(name)[\(index)]": element]) { $0.text("\(name)[\(index)]") }
        }
    }

    private mutating func text(of value: JSONValue, _ name: String, mayHaveBreaks: Bool) -> String? {
        guard case .string(let value) = value else { return refused(name, "is \(value.kind); expected text") }
        let text = PlainText.trimmed(value)
        if let problem = PlainText.problem(of: text, mayHaveBreaks: mayHaveBreaks) { fault(name, problem) }
        return text
    }

    /// Returns one of a type's names; nil with a fault for any other.
    mutating func choice<Value>(_ name: String, of type: Value.Type) -> Value?
    where Value: CaseIterable & RawRepresentable<String> {
        switch fields[name] {
        case .string(let value):
            if let known = Value(rawValue: value) { return known }
            let all = Value.allCases.map(\.rawValue)
            let suggestion = NearName.of(String(value.prefix(40)), among: all).map { "; did you mean \"\($0)\"?" } ?? ""
            fault(name, "is \"\(value)\"; expected one of \(all.joined(separator: ", "))\(suggestion)")
        case nil: fault(name, "is missing")
        case .some(let other): fault(name, "is \(other.kind); expected text")
        }
        return nil
    }

    /// Returns one of a type's names; nil when the field is missing.
    mutating func optionalChoice<Value>(_ name: String, of type: Value.Type) -> Value?
    where Value: CaseIterable & RawRepresentable<String> {
        self[name] == nil ? nil : choice(name, of: type)
    }

    mutating func flag(_ name: String, default missing: Bool) -> Bool {
        switch self[name] {
        case nil: return missing
        case .bool(let value): return value
        case .some(let other):
            fault(name, "is \(other.kind); expected true or false")
            return missing
        }
    }

    /// Returns a number above zero.
    mutating func positive(_ name: String) -> Double? {
        switch self[name] {
        case nil: return nil
        case .number(let value) where value > 0: return value
        case .number(let value): fault(name, "is \(value); expected a number above 0")
        case .some(let other): fault(name, "is \(other.kind); expected a number")
        }
        return nil
    }

    /// Returns a path that stays inside the dataset's folder; "" when it does not.
    mutating func path(_ name: String) -> String {
        let path = text(name)
        // Bytes are compared, as many labels are read and characters take ten times as long.
        let steps = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if steps.first?.isEmpty == true && steps.count > 1 || steps.contains(where: { $0.elementsEqual("..".utf8) }) {
            fault(name, "is \"\(path)\", outside the dataset; expected a path below its folder")
            return ""
        } else if !path.isEmpty, steps.contains(where: { $0.isEmpty || $0.elementsEqual(".".utf8) }) {
            // The digest lists files by path: two spellings of one would be two files.
            fault(name, "is \"\(path)\"; expected a path without empty steps and \".\"")
            return ""
        }
        return path
    }

    /// Returns four corners that enclose an area; the caller checks that they are inside their picture.
    mutating func quad(_ name: String) -> Quad? {
        guard let value = self[name] else { return nil }
        let expected = "expected four points [x, y]"
        guard case .array(let points) = value else { return refused(name, "is \(value.kind); \(expected)") }
        guard points.count == 4 else { return refused(name, "has \(points.count) points; \(expected)") }
        let corners = points.compactMap(Self.point)
        guard corners.count == 4 else { return refused(name, "has a corner that is not two numbers; \(expected)") }
        let quad = Quad(corners: corners)
        if let problem = quad.problem { fault(name, problem) }
        return quad
    }

    /// Returns two finite numbers; nil for anything else.
    static func point(_ value: JSONValue) -> Point? {
        guard case .array(let pair) = value, pair.count == 2, case .number(let x) = pair[0],
            case .number(let y) = pair[1], x.isFinite, y.isFinite
        else { return nil }
        return Point(x: x, y: y)
    }
}

/// The fields that spines have on samples and on shelves alike.
extension FieldReader {
    /// Returns a printed line each: plain text, or an object with a quad.
    mutating func lines() -> [LabelledLine]? {
        guard let value = self["lines"] else { return nil }
        guard case .array(let elements) = value else {
            return refused("lines", "is \(value.kind); expected a list of lines")
        }
        return elements.enumerated().map { index, element in
            switch element {
            case .string:
                // The same checks as for an object, under the element's own name.
                return LabelledLine(text: nested(["lines[\(index)]": element]) { $0.text("lines[\(index)]") })
            case .object(let fields):
                return nested(fields, under: "lines[\(index)].") { line in
                    LabelledLine(
                        text: line.text("text"),
                        role: line.optionalChoice("role", of: LineRole.self),
                        quad: line.quad("quad"),
                        font: line.optionalText("font"),
                        size: line.positive("size")
                    )
                }
            default:
                fault("lines[\(index)]", "is \(element.kind); expected text, or an object with \"text\"")
                return LabelledLine(text: "")
            }
        }
    }

    /// Returns an ISO 639 code in lower case.
    mutating func language() -> String? {
        guard let code = optionalText("language") else { return nil }
        if !Self.languages.contains(code), code.count != 3 || !Locale.LanguageCode(code).isISOLanguage {
            fault("language", "is \"\(code)\"; expected an ISO 639 code of two or three letters, as en or de")
        }
        return code
    }

    private static let languages = Set(
        Locale.LanguageCode.isoLanguageCodes.map(\.identifier).filter { (2...3).contains($0.count) }
    )

    /// Returns a book's number with a right check digit, as it was written.
    mutating func isbn() -> String? {
        guard let isbn = optionalText("isbn") else { return nil }
        do throws(ISBN.Fault) {
            _ = try ISBN(checking: isbn)
        } catch {
            fault("isbn", "is \"\(isbn)\", \(error.rawValue)")
        }
        return isbn
    }

    /// Returns figures by name; other datasets have words in this field, which are ignored.
    func difficulty() -> [String: Double]? {
        guard case .object(let fields)? = self["difficulty"] else { return nil }
        let figures = fields.compactMapValues { value in
            if case .number(let figure) = value { figure } else { nil }
        }
        return figures.isEmpty ? nil : figures
    }

    /// Returns the result of `read` on another object, whose faults are added to this one's.
    mutating func nested<Value>(
        _ fields: [String: JSONValue],
        under path: String = "",
        _ read: (inout FieldReader) -> Value
    ) -> Value {
        var reader = FieldReader(fields, path: self.path + path)
        defer { faults += reader.faults }
        return read(&reader)
    }
}
