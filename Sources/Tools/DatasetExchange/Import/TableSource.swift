import Basics
import Foundation
import SpineDatasets

/// Tables of spines: CSV and TSV with a row for each, JSON Lines with an object for each; `Formats/table.py` reads both.
enum TableSource {
    /// Returns a record for each row or object; the last ones have remarks on how it was understood.
    static func rows(
        of path: String,
        _ overrides: [LabelField: String],
        by program: FormatProgram
    ) throws(DatasetError) -> [FormatProgram.Record] {
        var columns = TableColumns(overrides: overrides)
        /// Meanings of a table's columns.
        var table: [String: LabelField]?
        var (records, remarks, problems) = ([FormatProgram.Record](), [String](), [Fault]())
        try program.run(.labels, [path] + [overrides[.isbn]].compactMap(\.self), of: path, keys: ["columns", "row"]) {
            record in
            if let header = record.fields["columns"]?.list?.compactMap(\.text) {
                let (fields, faults) = columns.resolve(header)
                table = fields
                remarks += [record.fields["remark"]?.text].compactMap(\.self)
                problems = (faults + Self.faults(fields, header)).map { Fault(file: path, line: 1, message: $0) }
            } else {
                records.append(Self.record(record, table, &columns))
            }
            return problems.isEmpty
        }
        guard problems.isEmpty else { throw .faults(path: path, problems) }
        return records
            + (remarks + columns.remarks).map {
                FormatProgram.Record(place: ImportPlace(file: path), fields: ["remark": .string($0)])
            }
    }

    private static func faults(_ fields: [String: LabelField], _ header: [String]) -> [String] {
        let missing =
            "no picture column among \(header.joined(separator: ", ")); rename it to \"file\", or specify --column "
            + "image=NAME"
        let repeated = Set(header).sorted().filter { name in !name.isEmpty && header.count { $0 == name } > 1 }
        return (fields.values.contains(.image) ? [] : [missing])
            + repeated.map { "two columns are named \"\($0)\"" }
    }

    /// Returns the labels of a row, or its faults.
    private static func record(
        _ record: FormatProgram.Record,
        _ table: [String: LabelField]?,
        _ columns: inout TableColumns
    ) -> FormatProgram.Record {
        guard let row = record.fields["row"]?.fields else { return record }
        var record = record
        var (fields, faults) = (table ?? [:], [String]())
        if table == nil { (fields, faults) = columns.resolve(Array(row.keys)) }
        record.fields =
            faults.isEmpty ? columns.fields(row, fields) : ["fault": .array(faults.map(JSONValue.string))]
        return record
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
