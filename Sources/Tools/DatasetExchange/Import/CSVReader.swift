import Basics
import Foundation
import Imaging
import SpineDatasets

/// Rows of a table with a header: RFC 4180, and with semicolons or tabs for commas.
struct CSVReader {
    typealias Row = (line: Int, fields: Result<[String], ImportFault>)

    private let bytes: [UInt8]
    private let separator: UInt8
    private var splitter: RecordSplitter
    private(set) var header: [String] = []

    /// Separator of the fields, in words.
    var separatorName: String {
        switch separator {
        case UInt8(ascii: ";"): "semicolons"
        case UInt8(ascii: "\t"): "tabs"
        case UInt8(ascii: ","): "commas"
        case let other: "\"\(Unicode.Scalar(other))\""
        }
    }

    /// Reads the header.
    init(_ path: String) throws(DatasetError) {
        let data = try LineReader.data(path)
        bytes = data.withUnsafeBytes { CSV.converted($0.bindMemory(to: UInt8.self)) } ?? Array(data)
        let opening = bytes.withUnsafeBufferPointer(CSV.opening)
        separator = opening.separator
        splitter = RecordSplitter(opening)
        let first = next()
        switch first?.fields {
        case .success(let names):
            header = names.map { $0.trimmingCharacters(in: .whitespaces) }
            while header.last == "" { header.removeLast() }
        case .failure(let fault):
            throw .fault("the header: \(fault.messages.joined())", in: path, line: first?.line)
        case nil: throw .fault("empty; expected a header with the names of the columns", in: path)
        }
    }

    /// Returns the next row that is not blank; nil at the end.
    mutating func next() -> Row? {
        bytes.withUnsafeBufferPointer { bytes in
            guard let span = splitter.next(1, in: bytes).first else { return nil }
            do throws(RowFault) {
                let row = try TableRow(UnsafeBufferPointer(rebasing: bytes[span.range]), separator: separator)
                var texts = try row.texts()
                // Spreadsheets add separators behind the last column.
                while !header.isEmpty, texts.count > header.count, texts.last?.isEmpty ?? false { texts.removeLast() }
                return (span.line, .success(texts))
            } catch {
                return (span.line, .failure(ImportFault(error.reason)))
            }
        }
    }
}

/// Lines of a file, which is mapped where that is safe.
struct LineReader {
    /// Longest line in bytes; a longer one is a sign that the file is of another kind.
    private static let maximumLine = 64 << 20

    private let path: String
    private var rest: Data
    /// The number of the line read last, from 1.
    private(set) var number = 0

    init(_ path: String) throws(DatasetError) {
        self.path = path
        rest = try Self.data(path)
    }

    /// Returns the whole of a file, without a byte order mark; UTF-16 that has one as UTF-8.
    static func data(_ path: String) throws(DatasetError) -> Data {
        let data = try DatasetError.reading(path) {
            try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        }
        return data.utf8OfMarkedUTF16.map { Data($0) } ?? data.withoutByteOrderMark
    }

    /// Returns the next line without its end, LF or CR LF, and without a byte order mark; nil at the end of the file.
    mutating func next() throws(DatasetError) -> [UInt8]? {
        guard !rest.isEmpty else { return nil }
        number += 1
        let end = rest.withUnsafeBytes { $0.firstIndex(of: 0x0A) }
        let line = rest.prefix(end ?? rest.count)
        guard line.count <= Self.maximumLine else {
            let problem = "longer than \(Self.maximumLine >> 20) MiB; expected one record a line"
            throw .fault(problem, in: path, line: number)
        }
        rest = rest.dropFirst(line.count + 1)
        return Array(line.last == 0x0D ? line.dropLast() : line)
    }
}

extension [UInt8] {
    var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }

    var utf8Text: String? { String(validating: self, as: UTF8.self) }
}
