/// An International Standard Book Number whose check digit is right, kept as thirteen digits.
///
/// Source: ISBN Users' Manual, 7th edition, section 6 and appendix 1.
public struct ISBN: Sendable, Hashable, CustomStringConvertible {
    /// Thirteen digits.
    public let digits: String

    /// The fault of an invalid ISBN.
    package enum Fault: String, Error {
        case digits = "not an ISBN; expected 10 or 13 digits"
        case prefix = "not an ISBN; 13 digits begin with 978 or 979"
        case ismn = "an ISMN, the number of printed music; expected an ISBN"
        case check = "whose check digit does not fit the others"
    }

    /// Reads the number in `text` with ten or thirteen digits; nil without one.
    ///
    /// Dashes and spaces of any kind do not count.
    public init?(_ text: String) {
        guard let isbn = try? ISBN(checking: text) else { return nil }
        self = isbn
    }

    /// Reads the number that is written in `text` with ten or thirteen digits.
    ///
    /// Dashes and spaces of any kind do not count.
    ///
    /// - Throws: ``Fault`` when there is none.
    package init(checking text: String) throws(Fault) {
        var values = Self.compact(text).utf8.map { Int($0) - Int(UInt8(ascii: "0")) }
        if values.count == 10, values[9] == Int(UInt8(ascii: "X")) - Int(UInt8(ascii: "0")) { values[9] = 10 }
        switch values.count {
        case 10:
            guard values.dropLast().allSatisfy((0...9).contains), (0...10).contains(values[9]) else { throw .digits }
            guard values.enumerated().reduce(0, { $0 + (10 - $1.offset) * $1.element }).isMultiple(of: 11) else {
                throw .check
            }
            values = [9, 7, 8] + values.dropLast()
            values.append((10 - Self.weightedSum(values) % 10) % 10)
        case 13:
            guard values.allSatisfy((0...9).contains) else { throw .digits }
            guard values[0] == 9, values[1] == 7, values[2] >= 8 else { throw .prefix }
            // ISMN has 979-0 (ISO 10957), ISBN 978 and the rest of 979.
            guard values[2] == 8 || values[3] != 0 else { throw .ismn }
            guard Self.weightedSum(values).isMultiple(of: 10) else { throw .check }
        default: throw .digits
        }
        digits = values.map(String.init).joined()
    }

    /// Returns `text` without dashes, spaces and invisible characters, with a capital X and ASCII digits: the written form of
    /// ten or thirteen digits.
    public static func compact(_ text: String) -> String {
        var compact = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            // Format: soft hyphens, marks of byte order and of writing direction.
            case .dashPunctuation, .spaceSeparator, .control, .format: continue
            case .mathSymbol where scalar == "\u{2212}": continue
            case .decimalNumber: compact.append(Unicode.Scalar(0x30 + UInt8(scalar.properties.numericValue ?? 0)))
            default: compact.append("xＸｘ".unicodeScalars.contains(scalar) ? "X" : scalar)
            }
        }
        return String(compact)
    }

    /// The thirteen digits.
    public var description: String { digits }

    private static func weightedSum(_ values: [Int]) -> Int {
        values.enumerated().reduce(0) { $0 + ($1.offset.isMultiple(of: 2) ? 1 : 3) * $1.element }
    }
}

extension ISBN: Codable {
    /// Reads a number as text, with or without hyphens.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let isbn = ISBN(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "invalid ISBN \"\(text)\"")
        }
        self = isbn
    }

    /// Writes the thirteen digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(digits)
    }
}

extension ISBN {
    /// Returns the numbers in a text whose check digit is right, each once, in their order.
    ///
    /// One dash, space or " - " may separate the digits, and an O is a zero where the check digit then fits. A number does not
    /// begin or end inside a group of digits. `marked`: whether ten digits count only after "ISBN", in four groups, with an X,
    /// or where they are the whole text: one in eleven telephone numbers has a right check digit.
    public static func all(in text: String, marked: Bool = false) -> [ISBN] {
        // Most texts have too few digits, and need no closer look.
        guard text.utf8.count(where: { (0x30...0x39).contains($0) }) > 7 else { return [] }
        var found: [ISBN] = []
        for run in text.unicodeScalars.split(whereSeparator: { digit($0) == nil && !isSeparator($0) }) {
            guard run.count >= 10 else { continue }
            let groups = String(run).replacing(" - ", with: "-").unicodeScalars
                .split(omittingEmptySubsequences: false, whereSeparator: isSeparator)
                .map { String(String.UnicodeScalarView($0.compactMap(digit))) }
            lazy var isNamed = text[..<run.startIndex].suffix(12).lowercased().contains("isbn")
            for start in groups.indices {
                var digits = ""
                for (count, group) in groups[start...].enumerated() {
                    digits += group
                    guard !group.isEmpty, digits.utf8.count <= 13 else { break }
                    guard let isbn = ISBN(digits), !found.contains(isbn) else { continue }
                    let isMarked =
                        digits.utf8.count == 13 || count == 3 && group.utf8.count == 1 || digits.hasSuffix("X")
                    if !marked || isMarked || isNamed || ISBN(text) == isbn {
                        found.append(isbn)
                    }
                }
            }
        }
        return found
    }

    /// Returns the digit that a character stands for: "X" is ten, an O a zero; nil for any other.
    private static func digit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case "0"..."9", "X": scalar
        case "x": "X"
        case "O", "o": "0"
        default: nil
        }
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == "-" || scalar == " " }
        return scalar == "\u{2212}" || [.dashPunctuation, .spaceSeparator].contains(scalar.properties.generalCategory)
    }
}
