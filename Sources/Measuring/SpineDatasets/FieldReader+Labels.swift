import Basics
import Foundation
import Raster

/// The fields that spines have on samples and on shelves alike.
extension FieldReader {
    /// A printed line each: plain text, or an object with a quad.
    mutating func lines() -> [LabelledLine]? {
        guard let value = self["lines"] else { return nil }
        guard case .array(let elements) = value else {
            fault("lines", "is \(value.kind); expected a list of lines")
            return nil
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

    /// An ISO 639 code in small letters.
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

    /// A book's number with a right check digit, as it was written.
    mutating func isbn() -> String? {
        guard let isbn = optionalText("isbn") else { return nil }
        do throws(ISBN.Fault) {
            _ = try ISBN(checking: isbn)
        } catch {
            fault("isbn", "is \"\(isbn)\", \(error.rawValue)")
        }
        return isbn
    }

    /// Figures by name; other people's datasets have words in this field, which say nothing here.
    func difficulty() -> [String: Double]? {
        guard case .object(let fields)? = self["difficulty"] else { return nil }
        let figures = fields.compactMapValues { value in
            if case .number(let figure) = value { figure } else { nil }
        }
        return figures.isEmpty ? nil : figures
    }

    /// Result of `read` on another object, whose faults are added to this one's.
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
