package import Basics
package import Foundation
import Imaging
package import SpineDatasets

/// A dataset as one HTML file that shows every picture with its labels drawn on it.
package struct ContactSheet: Sendable {
    private let manifest: DatasetManifest
    private let folder: String
    private let store: PictureStore
    private let maximumSide: Int
    private let items: [Item]
    private let total: Int

    private static let batch = 64

    /// Factor by which a shelf may be longer than a spine, so that its books are recognisable.
    private static let shelfScale = 3

    package struct Outcome: Sendable, Equatable {
        package var bytes: Int
        /// The pictures that are not shown, and why.
        package var faults: [Fault]
    }

    /// Creates a sheet of the dataset in a folder.
    ///
    /// `maximumSide`: The long side of a spine's picture at most, in pixels; a shelf's is up to three times as long.
    /// `limit`: How many spines, the categories in turn, and how many shelves to show; nil for all.
    package init(of path: String, maximumSide: Int, limit: Int?) throws(DatasetError) {
        let isTrimmed = path.count > 1 && path.hasSuffix("/")
        let folder = isTrimmed ? String(path.dropLast()) : path
        self.folder = folder
        store = try PictureStore(folder)
        self.maximumSide = maximumSide
        var (manifest, faults) = (DatasetManifest(name: ""), [Fault]())
        do throws(DatasetError) { manifest = try .read(from: folder) } catch { faults = error.faults }
        self.manifest = manifest
        let labels = Labels(of: folder, store)
        faults += labels.faults
        guard faults.isEmpty else { throw .faults(path: path, faults) }
        let samples = Dataset(path: folder, manifest: manifest, digest: "", samples: labels.samples.map(\.record))
        let lines = Dictionary(uniqueKeysWithValues: labels.samples.map { ($0.record.id, $0.line) })
        items =
            samples.limited(to: limit).map { Item(line: lines[$0.id], spine: $0) }
            + labels.shelves.prefix(limit ?? .max).map { Item(line: $0.line, shelf: $0.record) }
        total = labels.samples.count + labels.shelves.count
    }

    /// Writes the sheet; a file of that name is replaced once the new one is complete.
    package func write(
        to file: URL,
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(DatasetError) -> Outcome {
        let draft = file.appendingPathExtension("part")
        return try DatasetError.writing(file.path) {
            try Data().write(to: draft)
            defer { try? FileManager.default.removeItem(at: draft) }
            let handle = try FileHandle(forWritingTo: draft)
            defer { try? handle.close() }
            let head = ContactSheetPage.head(manifest, drawn: "\(items.count) of \(total) pictures")
            try handle.write(contentsOf: head)
            let faults = try writeItems(to: handle, progress: progress)
            try handle.write(contentsOf: ContactSheetPage.tail)
            let bytes = try handle.offset()
            guard rename(draft.path, file.path) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            return Outcome(bytes: Int(bytes), faults: faults)
        }
    }

    private func writeItems(to handle: FileHandle, progress: (Int, Int) -> Void) throws -> [Fault] {
        var faults: [Fault] = []
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for start in stride(from: 0, to: items.count, by: Self.batch) {
            let range = start..<min(start + Self.batch, items.count)
            let pictures = concurrentMap(range.count) { picture(of: items[start + $0]) }
            for (index, picture) in zip(range, pictures) {
                var item = items[index]
                (item.size, item.fault) = (picture.size, picture.fault)
                try handle.write(
                    contentsOf: ContactSheetPage.island(encoder.encode(item), picture: picture.jpeg, index: index)
                )
                if let fault = picture.fault {
                    let labels = "\(folder)/\(item.spine == nil ? Labels.shelvesFile : Labels.samplesFile)"
                    faults.append(Fault(file: labels, line: item.line, message: "image \(fault)"))
                }
            }
            progress(range.upperBound, items.count)
        }
        return faults
    }

    private func picture(of item: Item) -> ContactSheetPicture {
        ContactSheetPicture(
            item.spine?.image ?? item.shelf?.image ?? "",
            in: store,
            maximumSide: item.shelf == nil ? maximumSide : maximumSide * Self.shelfScale
        )
    }

    private struct Item: Encodable, Sendable {
        var line: Int?
        var spine: Sample?
        var shelf: Shelf?
        var size: [Int]?
        var fault: String?
    }
}

/// A picture of a dataset as a contact sheet shows it, or why it cannot.
struct ContactSheetPicture: Sendable {
    /// Width and height of the full-size picture, in pixels, the right way up.
    var size: [Int]?
    var jpeg: Data?
    var fault: String?

    /// Creates a picture of the dataset that has the `store`, its long side at most `maximumSide` pixels.
    init(_ image: String, in store: PictureStore, maximumSide: Int) {
        do {
            let picture = try ScaledPicture(image, in: store) { width, height in
                let scale = min(1, Double(maximumSide) / Double(max(width, height)))
                func scaled(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
                return (scaled(width), scaled(height))
            }
            // Lettering stays clear at this quality, at a third of the bytes of 95.
            jpeg = Data(try ImageCodec.encodeJPEG(picture.image, quality: 80))
            size = [picture.fullWidth, picture.fullHeight]
        } catch {
            fault = "\(error)"
        }
    }
}

/// The HTML around the data of a contact sheet: one page that needs nothing else and may load nothing else.
private enum ContactSheetPage {
    private static let template = PageTemplate(
        html: PackageResources.sheet_html,
        style: PackageResources.sheet_css,
        scripts: [PackageResources.sheet_js, PackageResources.cards_js]
    )

    static func head(_ manifest: DatasetManifest, drawn: String) -> Data {
        let about = [manifest.description, manifest.licence.map { "Licence: \($0)." }].compactMap(\.self)
        let digest = manifest.contentDigest.map { "<br><code>\(PageText.escaped($0))</code>" }
        return template.opening([
            "name": PageText.escaped([manifest.name, manifest.version].compactMap(\.self).joined(separator: " ")),
            "about": about.isEmpty ? "" : "<p>\(PageText.escaped(about.joined(separator: " ")))</p>",
            "drawn": PageText.escaped(drawn) + (digest ?? ""),
        ])
    }

    /// Returns one picture's labels, and the picture as base64 if it has one.
    static func island(_ json: Data, picture: Data?, index: Int) -> Data {
        var island = Data("<script type=\"application/json\" class=\"item\">".utf8)
        island += PageText.dataBlock(json)
        island += Data("</script>\n".utf8)
        if let picture {
            island += Data("<script type=\"text/plain\" id=\"p\(index)\">".utf8)
            island += picture.base64EncodedData()
            island += Data("</script>\n".utf8)
        }
        return island
    }

    static var tail: Data { template.ending }
}
