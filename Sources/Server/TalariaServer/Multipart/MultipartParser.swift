import Foundation
import Talaria

/// Part of a `multipart/form-data` body.
///
/// Source: RFC 7578, and RFC 2046 section 5.1 for the delimiters.
struct FormPart: Sendable {
    var name: String
    var content: ArraySlice<UInt8>

    /// Returns the parts of a body in their order; text before the first one and behind the last is ignored.
    static func parts(of body: [UInt8], boundary: String) throws -> [FormPart] {
        // The first delimiter may be at the very start, without a line before it.
        let (bytes, delimiter) = (Array("\r\n".utf8) + body, Array("\r\n--\(boundary)".utf8))
        let endsEarly = Problem(.invalidRequest, "The body ends before its closing delimiter.")
        var (parts, start) = ([FormPart](), 0)
        while true {
            guard let end = first(delimiter, in: bytes, from: start) else { throw endsEarly }
            var line = bytes[(end + delimiter.count)...]
            if line.starts(with: "--".utf8) { return parts }
            line = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard line.count >= 2 else { throw endsEarly }
            guard line.starts(with: "\r\n".utf8) else {
                throw Problem(.invalidRequest, "A delimiter between parts is malformed.")
            }
            let header = line.startIndex
            guard let headerEnd = first(Array("\r\n\r\n".utf8), in: bytes, from: header) else { throw endsEarly }
            guard let name = fieldName(in: String(decoding: bytes[header..<headerEnd], as: UTF8.self)) else {
                throw Problem(.invalidRequest, "A part has no Content-Disposition with a name.")
            }
            // The last line's end may begin the next delimiter, when the part is empty.
            start = headerEnd + 2
            guard let next = first(delimiter, in: bytes, from: start) else { throw endsEarly }
            parts.append(FormPart(name: name, content: bytes[min(start + 2, next)..<next]))
            start = next
        }
    }

    private static func first(_ pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var start = start
            // Carriage returns, with which patterns begin, are rare, even in pictures.
            while let found = bytes[start...].firstIndex(of: pattern[0]) {
                if bytes[found...].starts(with: pattern) { return found }
                start = found + 1
            }
            return nil
        }
    }

    /// Returns the name of a form field; the file name that a client may send is not read.
    private static func fieldName(in header: String) -> String? {
        header.firstMatch(of: /(?im)^content-disposition:[ \t]*form-data(;.*)$/).flatMap { parameter("name", of: $0.1) }
    }

    /// Returns the boundary in a content type; nil for other content types, or without a boundary that RFC 2046 allows.
    static func boundary(in contentType: String) -> String? {
        guard contentType.lowercased().hasPrefix("multipart/form-data"),
            let boundary = parameter("boundary", of: contentType[...]), (1...70).contains(boundary.utf8.count)
        else { return nil }
        return boundary
    }

    /// Returns the value of `; name=value` or `; name="value"`, outside of other quoted values.
    private static func parameter(_ name: String, of text: Substring) -> String? {
        let parameter = /;[ \t]*([^=;]+)=(?:"([^"]*)"|([^"; ][^; ]*)?)/
        return text.matches(of: parameter).first { $0.1.lowercased() == name }.map { String($0.2 ?? $0.3 ?? "") }
    }
}
