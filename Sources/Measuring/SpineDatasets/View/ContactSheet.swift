import Basics
package import Foundation

/// A dataset as one HTML file that shows every picture with its labels drawn on it.
///
/// Only the labels have to be sound: what is wrong with a picture, or with a region on it, is there to be seen.
package struct ContactSheet: Sendable {
    private let manifest: DatasetManifest
    private let folder: String
    /// The folder without links.
    private let root: String
    private let maximumSide: Int
    private let items: [Item]
    private let total: Int

    /// Number of pictures that are held in memory at a time, small ones all.
    private static let batch = 64

    /// Factor by which a shelf may be longer than a spine, so that its books can be told apart.
    private static let shelfScale = 3

    /// Outcome of a sheet.
    package struct Outcome: Sendable, Equatable {
        /// Size of the file.
        package var bytes: Int
        /// The pictures that are not shown, and why.
        package var faults: [DatasetFault]
    }

    /// A sheet of the dataset in a folder.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - maximumSide: The long side of a spine's picture at most, in pixels; a shelf's is up to three times as long.
    ///   - limit: How many spines, the categories in turn, and how many shelves to show; nil for all.
    /// - Throws: `DatasetError.faults` when the labels are faulty.
    package init(of path: String, maximumSide: Int, limit: Int?) throws(DatasetError) {
        folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        root = URL(filePath: folder).resolvingSymlinksInPath().path
        self.maximumSide = maximumSide
        var faults = FaultList()
        manifest = DatasetLoader.manifest(of: folder, &faults)
        let labels = Labels(of: folder)
        faults.add(labels.faults)
        guard faults.isEmpty else {
            throw .faults(path: path, faults: faults.listed, more: faults.count - faults.listed.count)
        }
        let samples = Dataset(path: folder, manifest: manifest, digest: "", samples: labels.samples.map(\.record))
        let lines = Dictionary(uniqueKeysWithValues: labels.samples.map { ($0.record.id, $0.line) })
        items =
            samples.limited(to: limit).map { Item(line: lines[$0.id], spine: $0) }
            + labels.shelves.prefix(limit ?? .max).map { Item(line: $0.line, shelf: $0.record.shelf) }
        total = labels.samples.count + labels.shelves.count
    }

    /// Writes the sheet; a file of that name is replaced once the new one is complete.
    ///
    /// - Parameters:
    ///   - file: The HTML file.
    ///   - progress: Called now and then with the number of pictures done and of all.
    /// - Returns: The size, and the faults of the pictures that do not decode: those have a card that says so.
    /// - Throws: `DatasetError.operation` when the file cannot be written.
    package func write(
        to file: URL,
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(DatasetError) -> Outcome {
        let draft = file.appendingPathExtension("part")
        do {
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
        } catch {
            throw .operation(path: file.path, problem: "cannot be written: \(error.systemReason)")
        }
    }

    /// Pictures are scaled side by side, a batch at a time, and written in their order.
    private func writeItems(to handle: FileHandle, progress: (Int, Int) -> Void) throws -> [DatasetFault] {
        var faults: [DatasetFault] = []
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for start in stride(from: 0, to: items.count, by: Self.batch) {
            let range = start..<min(start + Self.batch, items.count)
            let pictures = Parallel.map(range.count) { picture(of: items[start + $0]) }
            for (index, picture) in zip(range, pictures) {
                var item = items[index]
                (item.size, item.fault) = (picture.size, picture.fault)
                try handle.write(
                    contentsOf: ContactSheetPage.island(encoder.encode(item), picture: picture.jpeg, index: index)
                )
                if let fault = picture.fault {
                    let labels = "\(folder)/\(item.spine == nil ? Labels.shelvesFile : Labels.samplesFile)"
                    faults.append(DatasetFault(file: labels, line: item.line, message: "image \(fault)"))
                }
            }
            progress(range.upperBound, items.count)
        }
        return faults
    }

    private func picture(of item: Item) -> ContactSheetPicture {
        ContactSheetPicture(
            item.spine?.image ?? item.shelf?.image ?? "",
            in: root,
            maximumSide: item.shelf == nil ? maximumSide : maximumSide * Self.shelfScale
        )
    }

    /// Item of the page: a picture of a spine or a shelf.
    private struct Item: Encodable, Sendable {
        var line: Int?
        var spine: Sample?
        var shelf: Shelf?
        var size: [Int]?
        var fault: String?
    }
}
