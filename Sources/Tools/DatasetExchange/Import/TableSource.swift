import Basics
import Foundation
import SpineDatasets

/// Tables of spines: CSV and TSV with a row for each, JSON Lines with an object for each.
enum TableSource {
    /// Returns a record for each row of a table: RFC 4180, and with semicolons or tabs for commas; the last ones have remarks on how
    /// it was understood.
    static func rows(of path: String, _ overrides: [LabelField: String]) throws(DatasetError) -> [FormatProgram.Record]
    {
        let data = try LabelFile.data(path)
        let bytes = data.withUnsafeBytes { CSV.converted($0.bindMemory(to: UInt8.self)) } ?? Array(data)
        let opening = bytes.withUnsafeBufferPointer(CSV.opening)
        var splitter = RecordSplitter(opening)
        func next() -> (line: Int, fields: Result<[String], RowFault>)? {
            bytes.withUnsafeBufferPointer { bytes in
                splitter.next(1, in: bytes).first.map { span in
                    let row = UnsafeBufferPointer(rebasing: bytes[span.range])
                    return (
                        span.line,
                        Result { () throws(RowFault) in try TableRow(row, separator: opening.separator).texts() }
                    )
                }
            }
        }
        guard let first = next() else {
            throw .fault("empty; expected a header with the names of the columns", in: path)
        }
        var header: [String] = []
        do throws(RowFault) { header = try first.fields.get().map { $0.trimmingCharacters(in: .whitespaces) } } catch {
            throw .fault("the header: \(error.reason)", in: path, line: first.line)
        }
        while header.last == "" { header.removeLast() }
        var columns = TableColumns(overrides: overrides)
        let (fields, faults) = columns.resolve(header)
        var problems = faults
        if !fields.values.contains(.image) {
            problems.append(
                "no picture column among \(header.joined(separator: ", ")); rename it to \"file\", or specify --column "
                    + "image=NAME"
            )
        }
        for name in Set(header).sorted() where !name.isEmpty && header.count(where: { $0 == name }) > 1 {
            problems.append("two columns are named \"\(name)\"")
        }
        guard problems.isEmpty else {
            throw .faults(path: path, problems.map { Fault(file: path, line: 1, message: $0) })
        }
        var records: [FormatProgram.Record] = []
        while let row = next() {
            records.append(
                FormatProgram.Record(at: ImportPlace(file: path, line: row.line)) { () throws(ImportFault) in
                    var values: [String]
                    do throws(RowFault) { values = try row.fields.get() } catch { throw ImportFault(error.reason) }
                    // Spreadsheets add separators behind the last column.
                    while values.count > header.count, values.last == "" { values.removeLast() }
                    guard values.count == header.count else {
                        throw ImportFault("\(values.count) fields; the header has \(header.count) columns")
                    }
                    return columns.fields(
                        Dictionary(zip(header, values.map(JSONValue.string))) { first, _ in first },
                        fields
                    )
                }
            )
        }
        let names: [UInt8: String] = [0x3B: "semicolons", 0x09: "tabs", 0x2C: "commas"]
        let separator = names[opening.separator] ?? "\"\(Unicode.Scalar(opening.separator))\""
        return records + remarks(["fields separated by \(separator)"] + columns.remarks, path)
    }

    /// Returns a record for each JSON object; the last ones have remarks on how their keys were understood.
    static func objects(
        of path: String,
        _ overrides: [LabelField: String]
    ) throws(DatasetError) -> [FormatProgram.Record] {
        var columns = TableColumns(overrides: overrides)
        let records = try LabelFile.lines(path).map { number, line in
            FormatProgram.Record(at: ImportPlace(file: path, line: number)) { () throws(ImportFault) in
                let value: JSONValue
                do throws(JSONFault) { value = try JSONParser.parse(line, mode: .longNumbersAsText) } catch {
                    throw ImportFault("not valid JSON: \(error)")
                }
                guard let object = value.fields else {
                    throw ImportFault("expected a JSON object, found \(value.kind)")
                }
                let (fields, faults) = columns.resolve(Array(object.keys))
                guard faults.isEmpty else { throw ImportFault(messages: faults) }
                return columns.fields(object, fields)
            }
        }
        return records + remarks(columns.remarks, path)
    }

    private static func remarks(_ texts: [String], _ path: String) -> [FormatProgram.Record] {
        texts.map { FormatProgram.Record(place: ImportPlace(file: path), fields: ["remark": .string($0)]) }
    }
}

extension FormatProgram.Record {
    /// Creates the record of a table's row: its fields, or its faults.
    fileprivate init(at place: ImportPlace, _ fields: () throws(ImportFault) -> [String: JSONValue]) {
        self.place = place
        do throws(ImportFault) { self.fields = try fields() } catch {
            self.fields = ["fault": .array(error.messages.map(JSONValue.string))]
        }
    }
}

/// Meanings of a table's columns, or of the keys of JSON objects.
struct TableColumns {
    /// Names by the field that the caller assigns; "-" for none.
    private let overrides: [LabelField: String]
    private(set) var meanings: [String: LabelField?] = [:]

    init(overrides: [LabelField: String]) { self.overrides = overrides }

    /// Meanings of `names`, those of one table or one object.
    mutating func resolve(_ names: [String]) -> (fields: [String: LabelField], faults: [String]) {
        var seen: Set<String> = []
        let names = names.filter { seen.insert($0).inserted }
        var fields: [String: LabelField] = [:]
        var faults: [String] = []
        for field in LabelField.allCases {
            if let override = overrides[field] {
                if names.contains(override) { fields[override] = field }
                continue
            }
            let candidates = names.filter { LabelField.named($0) == field && !overrides.values.contains($0) }
            if field == .isbn {
                // Lists have a column for each length; the number is the same, or one is missing.
                for name in candidates { fields[name] = field }
                continue
            }
            let exact = candidates.filter { LabelField.exactly($0) == field }
            let chosen = exact.isEmpty ? candidates : exact
            if chosen.count > 1 {
                let list = chosen.map { "\"\($0)\"" }.joined(separator: " and ")
                faults.append("\(list) both match \(field.rawValue); specify --column \(field.rawValue)=NAME")
            } else if let name = chosen.first {
                fields[name] = field
            }
        }
        for name in names where meanings[name] == nil { meanings[name] = .some(fields[name]) }
        return (fields, faults)
    }

    /// Returns the fields of a record: the picture, and those with a meaning, by names that ``LabelField/named(_:)`` knows.
    func fields(_ object: [String: JSONValue], _ meanings: [String: LabelField]) -> [String: JSONValue] {
        var (record, labels): ([String: JSONValue], [String: JSONValue]) = ([:], [:])
        for (name, field) in meanings where object[name] != nil {
            if field == .image {
                record["image"] = object[name]
            } else {
                labels[overrides[field] == name ? field.rawValue : name] = object[name]
            }
        }
        record["fields"] = .object(labels)
        return record
    }

    /// "title ← book_title", for every field that was found, and the names that mean nothing.
    var remarks: [String] {
        let known = meanings.compactMap { name, field in field.map { (field: $0, name: name) } }
        let order = LabelField.allCases
        let mapped = known.sorted { a, b in
            let (left, right) = (order.firstIndex(of: a.field) ?? 0, order.firstIndex(of: b.field) ?? 0)
            return (left, a.name) < (right, b.name)
        }
        let ignored = meanings.filter { $0.value == nil }.keys.sorted()
        return mapped.map { "\($0.field.rawValue) ← \($0.name)" }
            + (ignored.isEmpty ? [] : ["ignored: \(ignored.joined(separator: ", "))"])
    }
}
