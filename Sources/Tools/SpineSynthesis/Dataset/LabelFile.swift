import Basics
import Foundation
import Imaging
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

    /// Opens the file, or makes it; the rest after the last whole line that belongs there is cut off.
    init(_ series: PictureSeries, in folder: URL) throws(DatasetError) {
        self.folder = folder
        self.series = series
        let file = folder.appending(path: series.subject.labels)
        do {
            let images = folder.appending(path: series.subject.images)
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

    func append(_ label: Data) throws(DatasetError) {
        let path = folder.appending(path: series.subject.labels).path
        try DatasetError.writing(path) { try handle.write(contentsOf: label) }
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

    /// Returns whether a JPEG file is complete from its header to its end marker.
    private static func isWhole(_ file: URL) -> Bool {
        guard let data = FileManager.default.contents(atPath: file.path), data.suffix(2) == Data([0xFF, 0xD9]) else {
            return false
        }
        return (try? ImageCodec.header(of: Array(data), name: file.path)) != nil
    }
}

/// Kind of labelled picture in a dataset's folder, and the method of drawing it.
struct PictureSeries: Sendable {
    struct Item: Sendable {
        /// A line of JSON.
        var label: Data
        var picture: [UInt8]

        init(_ label: some Encodable, _ image: RasterImage, quality: Int) throws {
            self.label = try JSONLine.encode(label)
            picture = try ImageCodec.encodeJPEG(image, quality: quality)
        }
    }

    let subject: Subject
    /// Numbers of those that are drawn here, from 0 and in ascending order: of a shard, not all that the dataset has.
    private let numbers: [Int]
    private let drawNumber: @Sendable (Int) throws -> Item

    /// Creates the pictures of a shard out of `count` pictures of the dataset; nil for all.
    init(_ subject: Subject, count: Int, shard: Shard?, draw: @escaping @Sendable (Int) throws -> Item) {
        self.subject = subject
        numbers = (0..<count).filter { shard?.holds(group: subject.id($0)) ?? true }
        drawNumber = draw
    }

    var count: Int { numbers.count }

    func draw(_ place: Int) throws -> Item { try drawNumber(numbers[place]) }

    func id(_ place: Int) -> String { subject.id(numbers[place]) }

    func image(_ place: Int) -> String { subject.image(numbers[place]) }
}

extension Subject {
    var noun: String { self == .spines ? "spine" : "shelf" }

    var images: String { self == .spines ? "images" : "shelves" }

    /// Returns the id, such as "spine-00001", independent of the count: a larger dataset begins with the same ones.
    func id(_ number: Int) -> String { noun + "-" + String(format: "%05d", number + 1) }

    func image(_ number: Int) -> String { "\(images)/\(id(number)).jpg" }
}

extension SynthesisOptions {
    func count(of subject: Subject) -> Int { subject == .spines ? spines : shelves }
}
