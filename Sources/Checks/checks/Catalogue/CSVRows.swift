import Basics
import Foundation

/// Rows of a CSV file with a header (RFC 4180), as column → value.
struct CSVRows {
    var rows: [[String: String]] = []

    init(path: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        rows = try bytes.withUnsafeBufferPointer { bytes in
            let comma = UInt8(ascii: ",")
            var splitter = RecordSplitter(.table(separator: comma), from: 0)
            var lists: [[String]] = []
            while let span = splitter.next(1, in: bytes).first {
                let row = UnsafeBufferPointer(rebasing: bytes[span.range])
                lists.append(try TableRow(row, separator: comma).texts())
            }
            guard let header = lists.first else { return [] }
            return lists.dropFirst().filter { $0.count == header.count }
                .map { Dictionary(zip(header, $0), uniquingKeysWith: { first, _ in first }) }
        }
    }
}
