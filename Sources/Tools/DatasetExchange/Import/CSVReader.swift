import Basics
import Foundation
import Imaging
import SpineDatasets

/// Rows of a table with a header: RFC 4180, and with semicolons or tabs for commas.
struct CSVReader {
    /// Row: its first line, and its fields or its fault.
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
    ///
    /// - Throws: `DatasetError` when there is none, or it cannot be read.
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
            // The lines after it may be whole rows: only the one with the quote is bad.
            if span.isUnclosed {
                let message = "unclosed quote; double quotes that are part of the text"
                return (span.line, .failure(ImportFault(message)))
            }
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

/// Reader of a file line by line, which holds at most one line and one piece.
struct LineReader {
    /// Longest line in bytes; a longer one is a sign that the file is of another kind.
    static let maximumLine = 64 << 20
    private static let piece = 1 << 20

    private let handle: FileHandle
    private let path: String
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// The number of the line read last, from 1.
    private(set) var number = 0

    /// - Throws: `DatasetError.operation` when the file cannot be opened.
    init(_ path: String) throws(DatasetError) {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw .operation(path: path, problem: "cannot be opened; expected a file that may be read")
        }
        self.handle = handle
        self.path = path
    }

    /// Returns the next line without its end, which is LF or CR LF, and without a byte order mark; nil at the end of
    /// the file.
    ///
    /// - Throws: `DatasetError` when the file cannot be read on, or when a line has no end.
    mutating func next() throws(DatasetError) -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) { return line(upTo: end, skipping: 1) }
            if isAtEnd { return start < buffer.count ? line(upTo: buffer.count, skipping: 0) : nil }
            guard buffer.count - start <= Self.maximumLine else {
                throw .fault(
                    "longer than \(Self.maximumLine >> 20) MiB; expected one record a line",
                    in: path,
                    line: number + 1
                )
            }
            buffer.removeSubrange(..<start)
            start = 0
            searched = buffer.count
            let data = try DatasetError.reading(path) { try handle.read(upToCount: Self.piece) ?? Data() }
            isAtEnd = data.isEmpty
            buffer += data
        }
    }

    /// Returns the whole of a file, mapped where that is safe.
    static func data(_ path: String) throws(DatasetError) -> Data {
        try DatasetError.reading(path) { try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) }
    }
    private mutating func line(upTo end: Int, skipping: Int) -> [UInt8] {
        var range = start..<end
        start = end + skipping
        number += 1
        if number == 1, buffer[range].starts(with: [0xEF, 0xBB, 0xBF]) { range = range.dropFirst(3) }
        if buffer[range].last == 0x0D { range = range.dropLast() }
        return Array(buffer[range])
    }
}

extension [UInt8] {
    /// Whether a line is blank.
    var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }

    /// The line as text; nil when it is not UTF-8.
    var utf8Text: String? { String(validating: self, as: UTF8.self) }
}
