import Basics
import Foundation
import ImageCodec
import SpineDatasets

/// The labels of a series on disk, written one by one.
struct LabelFile {
    private let folder: URL
    private let series: PictureSeries
    private let handle: FileHandle
    /// Number of labels that are there, from the first on.
    let kept: Int
    /// Numbers of those whose picture is not there or not whole.
    let withoutPicture: [Int]

    private struct Label: Decodable {
        var id: String
    }

    /// Opens the file, or makes it; what follows the last whole line that belongs there is cut off.
    ///
    /// - Throws: `DatasetError.operation` when the folder cannot be written to.
    init(_ series: PictureSeries, in folder: URL) throws(DatasetError) {
        self.folder = folder
        self.series = series
        let file = folder.appending(path: series.file)
        do {
            let images = folder.appending(path: series.images)
            try FileManager.default.createDirectory(at: images, withIntermediateDirectories: true)
            if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
            let data = try Data(contentsOf: file)
            var (count, end) = (0, data.startIndex)
            while count < series.count, let feed = data[end...].firstIndex(of: 0x0A),
                JSONLine.decode(Label.self, from: data[end..<feed])?.id == series.id(count)
            {
                (count, end) = (count + 1, feed + 1)
            }
            handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: UInt64(end - data.startIndex))
            try handle.seekToEnd()
            kept = count
        } catch {
            throw .operation(path: file.path, problem: "cannot be written: \(error.systemReason)")
        }
        withoutPicture = (0..<kept).filter { !Self.isWhole(folder.appending(path: series.image($0))) }
    }

    /// Adds a label.
    func append(_ label: Data) throws(DatasetError) {
        do {
            try handle.write(contentsOf: label)
        } catch {
            throw .operation(
                path: folder.appending(path: series.file).path,
                problem: "cannot be written: \(error.systemReason)"
            )
        }
    }

    /// Writes a picture under another name first, so that one with its own name is whole.
    static func write(_ picture: [UInt8], to file: URL) throws(DatasetError) {
        let part = file.appendingPathExtension("part")
        do {
            try Data(picture).write(to: part)
            guard rename(part.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            try? FileManager.default.removeItem(at: part)
            throw .operation(path: file.path, problem: "cannot be written: \(error.systemReason)")
        }
    }

    /// A JPEG file from its header to its end marker: what a crash of the machine may have left is neither.
    private static func isWhole(_ file: URL) -> Bool {
        guard let data = FileManager.default.contents(atPath: file.path), data.suffix(2) == Data([0xFF, 0xD9]) else {
            return false
        }
        return (try? ImageCodec.header(of: Array(data), name: file.path)) != nil
    }
}
