import Foundation

/// Rows of a CSV file with a header (RFC 4180), as column → value.
struct CSV {
    var rows: [[String: String]] = []

    init(path: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        var fields: [String] = []
        var field: [UInt8] = []
        var header: [String] = []
        var quoted = false
        var index = 0
        func endOfField() -> String { String(decoding: field, as: UTF8.self) }
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if quoted {
                if byte == UInt8(ascii: "\"") {
                    if index < bytes.count, bytes[index] == byte {
                        field.append(byte)
                        index += 1
                    } else {
                        quoted = false
                    }
                } else {
                    field.append(byte)
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): quoted = true
            case UInt8(ascii: ","):
                fields.append(endOfField())
                field.removeAll()
            case UInt8(ascii: "\r"): break
            case UInt8(ascii: "\n"):
                fields.append(endOfField())
                field.removeAll()
                if header.isEmpty {
                    header = fields
                } else if fields.count == header.count {
                    rows.append(Dictionary(zip(header, fields), uniquingKeysWith: { first, _ in first }))
                }
                fields.removeAll()
            default: field.append(byte)
            }
        }
    }
}
