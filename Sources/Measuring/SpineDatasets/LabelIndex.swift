import Basics
import Foundation
import Synchronization

/// The labels of one file by their ids, of which only places are held in memory: some forty bytes a label, however long it is.
///
/// Of labels that were checked when they were read; pictures are not looked at.
package final class LabelIndex: Sendable {
    private let path: String
    private let subject: Subject
    private let file: FileHandle
    private let entries: [Entry]
    /// Places of the entries, by their ids' hashes in ascending order.
    private let order: [UInt32]
    /// Whether an entry is among those that are read.
    private let isRead: [Bool]

    private struct Entry {
        var hash: UInt64
        var group: UInt64
        var place: Int
        var length: UInt32
        var category: UInt8
    }

    private struct Parsed: Sendable {
        /// Nil for a line that is no label.
        var sample: (hash: UInt64, group: UInt64, category: UInt8)?
        var place: Int
        var length: Int
    }

    /// Indexes the labels of a dataset's folder.
    ///
    /// - Parameters:
    ///   - folder: of the dataset.
    ///   - subject: what the pictures show.
    ///   - limit: how many are read, the categories taking turns; nil for all.
    ///   - group: a number for the group that is not to be divided.
    /// - Throws: ``DatasetError`` when the labels cannot be read, or a line is no label.
    package init(
        _ folder: String,
        _ subject: Subject,
        limit: Int?,
        group: @escaping @Sendable (Sample) -> UInt64
    ) throws(DatasetError) {
        let name = subject == .spines ? Labels.samplesFile : Labels.shelvesFile
        let path = "\(try ObjectFolder.labels(of: folder))/\(name)"
        (self.path, self.subject) = (path, subject)
        let fault = Mutex<Int?>(nil)
        (file, entries) = try DatasetError.reading(path) {
            var entries: [Entry] = []
            entries.reserveCapacity(try Self.lines(of: path))
            try LineFile(path).readPlaced { bytes, place in
                let sample = Self.parse(bytes, subject).map { sample in
                    let category = SampleCategory.allCases.firstIndex(of: sample.category) ?? 0
                    return (hash: Self.hash(of: sample.id), group: group(sample), category: UInt8(category))
                }
                return Parsed(sample: sample, place: place, length: bytes.count)
            } take: { line, parsed in
                guard case .parsed(let parsed) = parsed, let sample = parsed.sample else {
                    fault.withLock { $0 = $0 ?? line }
                    return
                }
                entries.append(
                    Entry(
                        hash: sample.hash,
                        group: sample.group,
                        place: parsed.place,
                        length: UInt32(parsed.length),
                        category: sample.category
                    )
                )
            }
            return (try FileHandle(forReadingFrom: URL(filePath: path)), entries)
        }
        if let line = fault.withLock({ $0 }) { throw .fault("is no label", in: path, line: line) }
        let hashes = entries
        order = (0..<UInt32(entries.count)).sorted { hashes[Int($0)].hash < hashes[Int($1)].hash }
        var isRead = [Bool](repeating: limit == nil, count: entries.count)
        if let limit {
            let places =
                subject == .shelves
                ? Array(0..<min(limit, entries.count))
                : Dataset.places(entries.map { SampleCategory.allCases[Int($0.category)] }, limitedTo: limit)
            for place in places { isRead[place] = true }
        }
        self.isRead = isRead
    }

    /// How many labels the file has.
    package var count: Int { entries.count }

    /// How many are read.
    package var readCount: Int { isRead.count { $0 } }

    /// The groups of those that are read.
    package var readGroups: some Sequence<UInt64> { zip(entries, isRead).lazy.filter(\.1).map(\.0.group) }

    /// The number of a label's group.
    package func group(_ number: Int) -> UInt64 { entries[number].group }

    /// The number of the label with an id, counted from 0, with its sample; nil when none that is read has it.
    package func label(_ id: String) -> (number: Int, sample: Sample)? {
        let hash = Self.hash(of: id)
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[Int(order[middle])].hash < hash { low = middle + 1 } else { high = middle }
        }
        // Two ids may have one hash.
        while low < order.count, entries[Int(order[low])].hash == hash {
            let number = Int(order[low])
            if isRead[number], let sample = sample(number), sample.id == id { return (number, sample) }
            low += 1
        }
        return nil
    }

    private func sample(_ number: Int) -> Sample? {
        let entry = entries[number]
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(entry.length)) { buffer, count in
            count = max(0, pread(file.fileDescriptor, buffer.baseAddress, Int(entry.length), off_t(entry.place)))
        }
        return bytes.withUnsafeBufferPointer { Self.parse($0, subject) }
    }

    private static func parse(_ bytes: UnsafeBufferPointer<UInt8>, _ subject: Subject) -> Sample? {
        guard case .object(let members)? = try? JSONParser.parse(bytes) else { return nil }
        var fields = FieldReader(members)
        let sample =
            subject == .spines ? SampleParser.sample(&fields) : Sample(ShelfParser.shelf(&fields).shelf)
        return fields.faults.isEmpty ? sample : nil
    }

    private static func hash(of id: String) -> UInt64 {
        var hash = FNV1a()
        for byte in id.utf8 { hash.append(byte) }
        return hash.value
    }

    private static func lines(of path: String) throws -> Int {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        var count = 1
        while let data = try file.read(upToCount: 1 << 20), !data.isEmpty { count += data.count { $0 == 0x0A } }
        return count
    }
}
