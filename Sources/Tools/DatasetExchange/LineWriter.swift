import Foundation
import SpineDatasets

/// Writer of lines of JSON to a file, which is made with the first of them.
struct LineWriter {
    private let file: URL
    private var handle: FileHandle?
    private var buffer = Data()

    init(_ file: URL) { self.file = file }
    mutating func write(_ value: some Encodable) throws(DatasetError) {
        try DatasetError.writing(file.path) {
            buffer += try JSONLine.encode(value)
            if buffer.count > 1 << 20 { try flush() }
        }
    }

    mutating func close() throws(DatasetError) {
        try DatasetError.writing(file.path) {
            if !buffer.isEmpty { try flush() }
            try handle?.close()
        }
    }

    private mutating func flush() throws {
        if handle == nil {
            try Data().write(to: file)
            handle = try FileHandle(forWritingTo: file)
        }
        try handle?.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
