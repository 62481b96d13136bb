package import Foundation
import Synchronization

/// A dataset as one HTML file that shows every picture with its labels drawn on it.
package struct ContactSheet: Sendable {
    private let dataset: Dataset
    private let maximumSide: Int
    private let items: [Item]
    private let total: Int

    /// How many pictures are held in memory at a time, small ones all.
    private static let batch = 64

    /// How much longer a shelf may be than a spine, so that its books can be told apart.
    private static let shelfScale = 3

    /// What a sheet came to.
    package struct Outcome: Sendable, Equatable {
        /// Size of the file.
        package var bytes: Int
        /// The pictures that are not shown, and why.
        package var faults: [DatasetFault]
    }

    /// A sheet of `dataset`.
    ///
    /// - Parameters:
    ///   - dataset: Its pictures need not have been checked.
    ///   - maximumSide: The long side of a spine's picture at most, in pixels; a shelf's is up to three times as long.
    ///   - limit: How many spines and how many shelves to show; nil for all.
    package init(_ dataset: Dataset, shelves: [Shelf] = [], maximumSide: Int, limit: Int?) {
        self.dataset = dataset
        self.maximumSide = maximumSide
        total = dataset.samples.count + shelves.count
        items =
            dataset.limited(to: limit).map { Item(spine: $0) }
            + shelves.prefix(limit ?? .max).map { Item(shelf: $0) }
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
            let drawn = "\(items.count) of \(total) pictures"
            try handle.write(
                contentsOf: Data(ContactSheetPage.head(dataset.manifest, digest: dataset.digest, drawn: drawn).utf8)
            )
            let faults = try writeItems(to: handle, progress: progress)
            try handle.write(contentsOf: Data(ContactSheetPage.tail.utf8))
            let bytes = try handle.offset()
            guard rename(draft.path, file.path) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            return Outcome(bytes: Int(bytes), faults: faults)
        } catch {
            throw .operation(path: file.path, problem: "cannot be written: \(error.localizedDescription)")
        }
    }

    /// Pictures are scaled side by side, a batch at a time, and written in their order.
    private func writeItems(to handle: FileHandle, progress: (Int, Int) -> Void) throws -> [DatasetFault] {
        var faults: [DatasetFault] = []
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for start in stride(from: 0, to: items.count, by: Self.batch) {
            let range = start..<min(start + Self.batch, items.count)
            for (index, picture) in zip(range, pictures(of: items[range])) {
                var item = items[index]
                (item.size, item.fault) = (picture.size, picture.fault)
                try handle.write(
                    contentsOf: ContactSheetPage.island(encoder.encode(item), picture: picture.jpeg, index: index)
                )
                if let fault = picture.fault {
                    faults.append(DatasetFault(file: path(of: item.labels), message: "\"\(item.id)\": image \(fault)"))
                }
            }
            progress(range.upperBound, items.count)
        }
        return faults
    }

    private func pictures(of items: ArraySlice<Item>) -> [ContactSheetPicture] {
        let pictures = Mutex([ContactSheetPicture?](repeating: nil, count: items.count))
        DispatchQueue.concurrentPerform(iterations: items.count) { offset in
            let item = items[items.startIndex + offset]
            let picture = ContactSheetPicture(
                path: path(of: item.image),
                name: item.image,
                maximumSide: item.shelf == nil ? maximumSide : maximumSide * Self.shelfScale
            )
            pictures.withLock { $0[offset] = picture }
        }
        return pictures.withLock { $0.compactMap(\.self) }
    }

    private func path(of name: String) -> String {
        dataset.path.hasSuffix("/") ? dataset.path + name : "\(dataset.path)/\(name)"
    }

    /// What the page knows of one picture: a spine or a shelf.
    private struct Item: Encodable, Sendable {
        var spine: Sample?
        var shelf: Shelf?
        var size: [Int]?
        var fault: String?

        var id: String { spine?.id ?? shelf?.id ?? "" }
        var image: String { spine?.image ?? shelf?.image ?? "" }
        var labels: String { spine == nil ? "shelves.jsonl" : "samples.jsonl" }
    }
}
