/// Tables as text (RFC 4180).
public enum CSV {
    /// A row with its line feed; fields are quoted where they have to be.
    ///
    /// With `guardsFormulas`, a text that a spreadsheet would take for a formula gets an apostrophe before it: what comes off
    /// photos and from servers must not run on whoever opens the file. Numbers stay as they are.
    public static func line(_ fields: [String], guardsFormulas: Bool = false) -> String {
        fields.map { field($0, guardsFormulas: guardsFormulas) }.joined(separator: ",") + "\n"
    }

    private static func field(_ text: String, guardsFormulas: Bool) -> String {
        var text = text
        // Source: OWASP, CSV Injection.
        if guardsFormulas, let first = text.utf8.first, "=+-@\t\r".utf8.contains(first), Double(text) == nil {
            text = "'" + text
        }
        // Some readers drop spaces at the ends of a field without quotes.
        let isSpaced = text.utf8.first == 0x20 || text.utf8.last == 0x20
        guard isSpaced || text.utf8.contains(where: { ",\"\n\r".utf8.contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// Calls `body` with the fields of each row that is not blank; a quote that is never closed ends with the table.
    public static func read<Failure>(
        _ bytes: some Collection<UInt8>,
        separator: UInt8 = UInt8(ascii: ","),
        _ body: ([String]) throws(Failure) -> Void
    ) throws(Failure) {
        let quote = UInt8(ascii: "\"")
        var (row, field, isQuoted, wasQuote) = ([String](), [UInt8](), false, false)
        func endField() {
            row.append(String(decoding: field, as: UTF8.self))
            field.removeAll(keepingCapacity: true)
        }
        func endRow() throws(Failure) {
            endField()
            if row != [""] { try body(row) }
            row.removeAll(keepingCapacity: true)
        }
        for byte in bytes.withoutByteOrderMark {
            if byte == quote, isQuoted || wasQuote || field.isEmpty {
                // A second quote in a row is one of the text.
                if wasQuote { field.append(quote) }
                (isQuoted, wasQuote) = (!isQuoted, isQuoted)
                continue
            }
            wasQuote = false
            if isQuoted {
                field.append(byte)
            } else if byte == separator {
                endField()
            } else if byte == 0x0A {
                try endRow()
            } else if byte != 0x0D {
                field.append(byte)
            }
        }
        try endRow()
    }
}
