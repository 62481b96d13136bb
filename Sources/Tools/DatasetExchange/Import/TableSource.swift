import Basics
import Foundation
import SpineDatasets

/// Tables of spines: CSV and TSV with a row for each, JSON Lines with an object for each.
enum TableSource {
    /// Reads a table: RFC 4180, and with semicolons or tabs for commas; returns remarks on how it was understood.
    static func readCSV(
        _ path: String,
        _ overrides: [LabelField: String],
        into intake: inout RecordIntake
    ) throws(DatasetError) -> [String] {
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
            throw .faults(path: path, faults: problems.map { DatasetFault(file: path, line: 1, message: $0) })
        }
        while let row = next() {
            let place = ImportPlace(file: path, line: row.line)
            var values: [String]
            do throws(RowFault) { values = try row.fields.get() } catch {
                intake.refuse([place.fault(error.reason)])
                continue
            }
            // Spreadsheets add separators behind the last column.
            while values.count > header.count, values.last == "" { values.removeLast() }
            guard values.count == header.count else {
                intake.refuse([place.fault("\(values.count) fields; the header has \(header.count) columns")])
                continue
            }
            let object = Dictionary(zip(header, values.map(JSONValue.string))) { first, _ in first }
            try take(object, as: fields, at: place, &intake)
        }
        let names: [UInt8: String] = [0x3B: "semicolons", 0x09: "tabs", 0x2C: "commas"]
        let separator = names[opening.separator] ?? "\"\(Unicode.Scalar(opening.separator))\""
        return ["fields separated by \(separator)"] + columns.remarks
    }

    static func readJSONLines(
        _ path: String,
        _ overrides: [LabelField: String],
        into intake: inout RecordIntake
    ) throws(DatasetError) -> [String] {
        var columns = TableColumns(overrides: overrides)
        for (number, line) in try LabelFile.lines(path) {
            let place = ImportPlace(file: path, line: number)
            let value: JSONValue
            do throws(JSONFault) { value = try JSONParser.parse(line, mode: .longNumbersAsText) } catch {
                intake.refuse([place.fault("not valid JSON: \(error)")])
                continue
            }
            guard let object = value.fields else {
                intake.refuse([place.fault("expected a JSON object, found \(value.kind)")])
                continue
            }
            let (fields, faults) = columns.resolve(Array(object.keys))
            if faults.isEmpty {
                try take(object, as: fields, at: place, &intake)
            } else {
                intake.refuse(faults.map(place.fault))
            }
        }
        return columns.remarks
    }

    private static func take(
        _ object: [String: JSONValue],
        as fields: [String: LabelField],
        at place: ImportPlace,
        _ intake: inout RecordIntake
    ) throws(DatasetError) {
        var stated = StatedLabels()
        var faults = stated.take(object, as: fields).map(place.fault)
        let picture = fields.first { $0.value == .image }.flatMap { object[$0.key]?.text } ?? ""
        if picture.isEmpty { faults.append(place.fault("has no picture")) }
        guard faults.isEmpty else { return intake.refuse(faults) }
        try intake.take(ImportRecord(place: place, picture: picture, stated: stated))
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
