import Basics
import Foundation
import SpineDatasets

extension JSONValue {
    /// Text as it is, a number or a truth value in words, a list of texts joined; nil for anything else.
    ///
    /// Tools write the title "1984" as a number, and the authors of a book as a list.
    var plainText: String? {
        switch self {
        case .string(let value): value
        case .number(let value): exactWhole ?? String(value)
        case .bool(let value): String(value)
        case .array(let values):
            values.allSatisfy { if case .string = $0 { true } else { false } }
                ? values.compactMap(\.text).joined(separator: ", ") : nil
        case .null, .object: nil
        }
    }

    /// The digits of a whole number that is exact.
    ///
    /// Beyond 2^53 two numbers can become one; the parser gives ids beyond it as text.
    private var exactWhole: String? {
        guard let number, number == number.rounded(), abs(number) <= 0x1p53 else { return nil }
        return String(Int(number))
    }

    /// Returns the degrees of a number or a text; nil without either.
    ///
    /// - Throws: ``ImportFault`` for anything else: a turn that is not taken up leaves a shape that is wrong.
    static func degrees(_ value: JSONValue?) throws(ImportFault) -> Double? {
        switch value {
        case nil, .null, .string(""): return nil
        case .number(let degrees) where degrees.isFinite: return degrees
        case .string(let text):
            let digits = text.onOneLine.replacing("°", with: "").replacing(",", with: ".")
            if let degrees = Double(digits), degrees.isFinite { return degrees }
            throw ImportFault("the rotation is \"\(text)\"; expected a number of degrees")
        case .some(let other): throw ImportFault("the rotation is \(other.kind); expected a number of degrees")
        }
    }

    /// The text, if it is one.
    var text: String? { if case .string(let value) = self { value } else { nil } }

    /// The finite number, if it is one.
    var number: Double? { if case .number(let value) = self, value.isFinite { value } else { nil } }

    /// The whole number, if it is one.
    var whole: Int? { number.flatMap(Int.init(exactly:)) }
    /// The members, if it is a list.
    var list: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

    /// The fields, if it is an object.
    var fields: [String: JSONValue]? { if case .object(let fields) = self { fields } else { nil } }

    /// The numbers, if it is a list of nothing else.
    var numbers: [Double]? {
        guard let list else { return nil }
        let numbers = list.compactMap(\.number)
        return numbers.count == list.count ? numbers : nil
    }

    /// Key by which other records refer to this one: a whole number that is exact, or text; nil for anything else.
    var key: String? {
        if case .string(let value) = self { value } else { exactWhole }
    }

    /// Returns the value in `data`.
    static func parse(_ data: Data, path: String) throws(DatasetError) -> JSONValue {
        let result = data.withUnsafeBytes { bytes -> Result<JSONValue, JSONFault> in
            let bytes = bytes.bindMemory(to: UInt8.self)
            return Result { () throws(JSONFault) in
                try JSONParser.parse(bytes, mode: .longNumbersAsText)
            }
        }
        switch result {
        case .success(let value): return value
        case .failure(let fault):
            // The parser counts from the beginning; a person needs the line.
            let before = data.prefix(fault.column - 1)
            let line = before.count { $0 == 0x0A } + 1
            let column = before.count - ((before.lastIndex(of: 0x0A) ?? before.startIndex - 1) - before.startIndex)
            throw .fault("not valid JSON: column \(column): \(fault.problem)", in: path, line: line)
        }
    }
}

extension JSONValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let fields): try container.encode(fields)
        }
    }
}
