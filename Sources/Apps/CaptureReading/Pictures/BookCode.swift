public import Basics
import Foundation

extension FoundCode {
    /// The book's number, where it is the code of a book.
    ///
    /// An EAN-13 from 978 or 979 on; a GTIN of these in a GS1 Digital Link (URI Syntax 1.4: `/01/` and the number in
    /// the path) or behind the application identifier 01; a name `urn:isbn:` (RFC 8254); or the number alone.
    public var isbn: ISBN? {
        switch symbology {
        case .ean13: Self.isbn(number: payload)
        case .ean8, .upcA, .upcE: nil
        case .qr, .code128: isPartial ? nil : isbnOfText
        }
    }

    private var isbnOfText: ISBN? {
        let text = payload.trimmingCharacters(in: .whitespacesAndNewlines)
        if let match = text.prefixMatch(of: /(?i)urn:isbn:([0-9X-]{10,17})(?:[?#]|$)/) { return ISBN(String(match.1)) }
        if let match = text.wholeMatch(of: /(?i)https?:\/\/[^\s\/?#]+(\/[^\s?#]*)?(?:[?#]\S*)?/) {
            let path = match.1.map(String.init) ?? ""
            return path.firstMatch(of: /(?i)\/(?:01|gtin)\/([0-9]{13,14})(?:\/|$)/).flatMap {
                Self.isbn(number: String($0.1))
            }
        }
        // Forms: in brackets, as for people, or as encoded, other identifiers before it.
        if let match = text.firstMatch(of: /\(01\)\s*([0-9]{14})(?:[^0-9]|$)/) {
            return Self.isbn(number: String(match.1))
        }
        if isGS1, let match = text.firstMatch(of: /(?:^|\x{1D})01([0-9]{14})/) {
            return Self.isbn(number: String(match.1))
        }
        if let match = text.wholeMatch(of: /(?i)(?:ISBN(?:-1[03])?:?\s*)?([0-9X -]{10,17})/) {
            let isNamed = text.count > match.1.count
            return isNamed ? ISBN(String(match.1)) : Self.isbn(number: ISBN.compact(String(match.1)))
        }
        return nil
    }

    /// Returns the book of a GTIN of 13 digits, or of 14 with a leading zero: that of a carton of books is none of a
    /// book.
    private static func isbn(number: String) -> ISBN? {
        let digits = number.count == 14 && number.hasPrefix("0") ? String(number.dropFirst()) : number
        guard digits.count == 13, digits.hasPrefix("978") || digits.hasPrefix("979") else { return nil }
        return ISBN(digits)
    }
}
