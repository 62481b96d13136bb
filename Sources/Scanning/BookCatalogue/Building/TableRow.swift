/// Takes a row of a table apart.
///
/// A quote in a field that does not begin with one stands for itself, as in `9" disc`.
struct TableRow {
    private struct Field {
        var range: Range<Int>
        var hasDoubledQuotes: Bool
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var fields: [Field] = []
    /// How many fields there are.
    var count: Int { fields.count }

    /// - Parameters:
    ///   - bytes: of the row, without its line end; valid as long as this value is used.
    ///   - separator: between fields.
    /// - Throws: ``RowFault`` for text behind a closing quote.
    init(_ bytes: UnsafeBufferPointer<UInt8>, separator: UInt8) throws(RowFault) {
        self.bytes = bytes
        let quote = UInt8(ascii: "\"")
        var index = 0
        while true {
            if index < bytes.count, bytes[index] == quote {
                var (end, doubled) = (index + 1, false)
                while end < bytes.count {
                    if bytes[end] == quote {
                        guard end + 1 < bytes.count, bytes[end + 1] == quote else { break }
                        doubled = true
                        end += 1
                    }
                    end += 1
                }
                fields.append(Field(range: index + 1..<end, hasDoubledQuotes: doubled))
                index = end + 1
                while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x0D { index += 1 }
                guard index >= bytes.count || bytes[index] == separator else {
                    throw RowFault("text after the closing quote of field \(fields.count); double a quote that is text")
                }
            } else {
                let end = bytes[index...].firstIndex(of: separator) ?? bytes.count
                fields.append(Field(range: index..<end, hasDoubledQuotes: false))
                index = end
            }
            guard index < bytes.count else { return }
            index += 1
        }
    }

    /// A field as text, without white space at its ends; the bytes are UTF-8.
    subscript(_ index: Int) -> String {
        guard index < fields.count else { return "" }
        var range = fields[index].range
        while let first = range.first, bytes[first] <= 0x20 { range.removeFirst() }
        while let last = range.last, bytes[last] <= 0x20 { range.removeLast() }
        if range.isEmpty { return "" }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        return fields[index].hasDoubledQuotes ? text.replacing("\"\"", with: "\"") : text
    }

    /// Whether the fields from `start` on have nothing in them.
    func isEmpty(from start: Int) -> Bool { (start..<max(start, count)).allSatisfy { self[$0].isEmpty } }
}

/// What is wrong with a row.
struct RowFault: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
