package import Basics
import Foundation
import Imaging
import SpineDatasets

/// Files of labels and readings that are read here: tables, and JSON Lines.
enum LabelFile {
    /// Returns the whole of a file, without a byte order mark; UTF-16 that has one as UTF-8.
    static func data(_ path: String) throws(DatasetError) -> Data {
        let data = try DatasetError.reading(path) {
            try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        }
        return data.utf8OfMarkedUTF16.map { Data($0) } ?? data.withoutByteOrderMark
    }

    /// Returns number, from 1, and bytes of each line that is not blank.
    static func lines(_ path: String) throws(DatasetError) -> [(number: Int, bytes: [UInt8])] {
        try data(path).split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            line.allSatisfy { $0 <= 0x20 } ? nil : (index + 1, Array(line.last == 0x0D ? line.dropLast() : line))
        }
    }

    /// Returns the files with these endings in a folder and the folders in it, by name; a file itself.
    static func files(_ path: String, _ endings: Set<String>) -> [String] {
        FileManager.default.isFolder(path) ? all(path).filter { endings.contains(ending($0)) } : [path]
    }

    /// Returns the files of a folder and the folders in it, by name, without hidden ones; a file itself.
    private static func all(_ path: String) -> [String] {
        guard FileManager.default.isFolder(path) else { return [path] }
        let names = (FileManager.default.subpaths(atPath: path) ?? []).sorted()
        return names.filter { !$0.split(separator: "/").contains { $0.hasPrefix(".") } }.map { "\(path)/\($0)" }
    }

    /// Returns a guess at the format of files, by the first name that `format` knows one for.
    static func guess(_ path: String, _ format: (_ name: String) -> String?) -> String {
        for file in all(path) where !MacFiles.contains(file) {
            let name = URL(filePath: file).lastPathComponent
            if let format = format(name) { return "; by its name, \(name) may be \(format)" }
        }
        return ""
    }

    static func ending(_ path: String) -> String { URL(filePath: path).pathExtension.lowercased() }
}

/// Where a record of labels or a reading is.
package struct ImportPlace: Sendable {
    package var file: String
    /// Counted from 1; nil for files that are not read by lines.
    package var line: Int?
    /// Record ("image 7"), for sources without useful lines.
    var record: String?

    package func fault(_ message: String) -> Fault {
        Fault(file: file, line: line, message: record.map { "\($0): \(message)" } ?? message)
    }
}

/// What is wrong with a record, or the failure that ends the import.
struct ImportFault: Error {
    var messages: [String] = []
    var failure: DatasetError?

    init(_ messages: String...) { self.messages = messages }
    init(messages: [String]) { self.messages = messages }
    init(failure: DatasetError) { self.failure = failure }
}

extension JSONValue {
    /// Text as it is, a number or a truth value in words, a list of texts joined; nil for anything else.
    ///
    /// Tools write the title "1984" as a number, and the authors of a book as a list.
    var plainText: String? {
        switch self {
        case .string(let value): value
        // Beyond 2^53 two numbers can become one; the parser gives those as text.
        case .number(let value): whole.flatMap { abs(value) <= 0x1p53 ? String($0) : nil } ?? String(value)
        case .bool(let value): String(value)
        case .array(let values):
            values.allSatisfy { $0.text != nil } ? values.compactMap(\.text).joined(separator: ", ") : nil
        case .null, .object: nil
        }
    }

    /// The finite number, if it is one.
    var number: Double? { if case .number(let value) = self, value.isFinite { value } else { nil } }
    package var whole: Int? { number.flatMap(Int.init(exactly:)) }
    var fields: [String: JSONValue]? { if case .object(let fields) = self { fields } else { nil } }

    /// The points of a list of pairs of numbers; nil for anything else, and for fewer than three.
    var points: [Point]? {
        let pairs = (list ?? []).map { ($0.list ?? []).compactMap(\.number) }
        guard pairs.count >= 3, pairs.allSatisfy({ $0.count == 2 }) else { return nil }
        return pairs.map { Point(x: $0[0], y: $0[1]) }
    }
}
