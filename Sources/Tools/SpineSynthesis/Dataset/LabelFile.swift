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

    func append(_ label: Data) throws(DatasetError) {
        try DatasetError.writing(folder.appending(path: series.file).path) { try handle.write(contentsOf: label) }
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

    /// Returns whether a JPEG file is complete from its header to its end marker, unlike one left by a crash of the
    /// machine.
    private static func isWhole(_ file: URL) -> Bool {
        guard let data = FileManager.default.contents(atPath: file.path), data.suffix(2) == Data([0xFF, 0xD9]) else {
            return false
        }
        return (try? ImageCodec.header(of: Array(data), name: file.path)) != nil
    }
}

/// Kind of labelled picture in a dataset's folder: a file of labels, a line for each picture, and the method of
/// drawing them.
struct PictureSeries: Sendable {
    struct Item: Sendable {
        /// A line of JSON with its end.
        var label: Data
        /// The bytes of a JPEG file.
        var picture: [UInt8]
    }

    /// Noun for one of them: "spine".
    var noun: String
    var file: String
    var images: String
    /// Numbers of those that are drawn here, from 0 and in ascending order: of a shard, not all that the dataset has.
    var numbers: [Int]
    private let drawNumber: @Sendable (Int) throws -> Item

    /// Creates the pictures of a shard out of `count` pictures of the dataset; nil for all.
    ///
    /// `draw`: Draws the one with a number, from 0.
    init(
        noun: String,
        file: String,
        images: String,
        count: Int,
        shard: Shard?,
        draw: @escaping @Sendable (Int) throws -> Item
    ) {
        (self.noun, self.file, self.images) = (noun, file, images)
        numbers = (0..<count).filter { shard?.holds(group: Self.id(noun, $0)) ?? true }
        drawNumber = draw
    }

    var count: Int { numbers.count }

    /// Draws the one at a place among those that are drawn here.
    func draw(_ place: Int) throws -> Item { try drawNumber(numbers[place]) }

    /// Returns the id, such as "spine-00001", independent of the count: a larger dataset begins with the same ones.
    func id(_ place: Int) -> String { Self.id(noun, numbers[place]) }

    static func id(_ noun: String, _ index: Int) -> String { noun + "-" + String(format: "%05d", index + 1) }

    /// Returns the picture's path in the dataset.
    func image(_ place: Int) -> String { "\(images)/\(id(place)).jpg" }
}

/// A Debian package of fonts and the licence that the fonts are under.
enum FontPackage {
    /// Licences in the form of `/usr/share/doc/<package>/copyright`.
    private static let others = [
        "fonts-adf-oldania": "GPL-2.0-or-later with font exception",
        "fonts-dejavu-core": "Bitstream Vera",
        "fonts-goudybookletter": "public domain",
        "fonts-linuxlibertine": "OFL-1.1, or GPL-2.0-or-later with font exception",
        "fonts-roboto-slab": "Apache-2.0",
        "fonts-urw-base35": "AGPL-3.0 with an exception for documents",
    ]
    /// Packages under OFL-1.1.
    private static let open: Set<String> = [
        "fonts-bebas-neue", "fonts-blankenburg", "fonts-cherrybomb", "fonts-comic-neue", "fonts-courier-prime",
        "fonts-dancingscript", "fonts-dosis", "fonts-ebgaramond", "fonts-gamaliel", "fonts-gfs-didot",
        "fonts-humor-sans", "fonts-kaushanscript", "fonts-klaudia-berenika", "fonts-lato", "fonts-le-murmure",
        "fonts-league-spartan", "fonts-leckerli-one", "fonts-liberation2", "fonts-lobstertwo", "fonts-vollkorn",
        "fonts-yanone-kaffeesatz", "fonts-yusei-magic",
    ]

    /// Returns the licence of a package's fonts; nil when this program does not know the package.
    static func licence(of package: String) -> String? { open.contains(package) ? "OFL-1.1" : others[package] }
}
