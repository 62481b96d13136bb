import Basics
import Foundation

/// The labels of one file by their ids, of which only places are in memory: some forty bytes a label.
package final class LabelIndex: Sendable {
    private let path: String
    private let subject: Subject
    private let file: FileHandle
    private let entries: [Entry]
    /// Places of the entries, by their ids' hashes in ascending order.
    private let order: [UInt32]
    private let isRead: [Bool]

    private struct Entry: Sendable {
        var hash: UInt64
        var group: UInt64
        var place: Int
        var length: UInt32
        var category: UInt8
    }

    /// Indexes the labels of a dataset's folder.
    ///
    /// `limit`: How many are read, the categories taking turns; nil for all. `group`: A number for the group that is
    /// not to be divided, by its name.
    package init(
        _ folder: String,
        _ subject: Subject,
        limit: Int?,
        group: @escaping @Sendable (String) -> UInt64
    ) throws(DatasetError) {
        let path = "\(folder)/\(subject.labels)"
        (self.path, self.subject) = (path, subject)
        var fault: Int?
        (file, entries) = try DatasetError.reading(path) {
            var entries: [Entry] = []
            entries.reserveCapacity(try Self.lines(of: path))
            try LineFile(path).read { bytes, place in
                Self.head(bytes, subject).map { id, name, category in
                    Entry(
                        hash: Self.hash(of: id),
                        group: group(name),
                        place: place,
                        length: UInt32(bytes.count),
                        category: UInt8(SampleCategory.allCases.firstIndex(of: category) ?? 0)
                    )
                }
            } take: { line, parsed in
                if case .parsed(let entry?) = parsed { entries.append(entry) } else { fault = fault ?? line }
            }
            return (try FileHandle(forReadingFrom: URL(filePath: path)), entries)
        }
        if let line = fault { throw .fault("is not a label", in: path, line: line) }
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

    package var count: Int { entries.count }

    package var readCount: Int { isRead.count { $0 } }

    package var readGroups: some Sequence<UInt64> { zip(entries, isRead).lazy.filter(\.1).map(\.0.group) }

    package func group(_ number: Int) -> UInt64 { entries[number].group }

    /// Returns the number of the label with an id, counted from 0, with its sample; nil when no read one has it.
    package func label(_ id: String) -> (number: Int, sample: Sample)? {
        let hash = Self.hash(of: id)
        var place = place(of: hash)
        // Two ids may have one hash.
        while place < order.count, entries[Int(order[place])].hash == hash {
            let number = Int(order[place])
            if isRead[number], let sample = sample(number), sample.id == id { return (number, sample) }
            place += 1
        }
        return nil
    }

    /// Returns the number of the group of the label with an id, by the id's hash alone; nil when no read one has it.
    package func group(likely id: String) -> UInt64? {
        let hash = Self.hash(of: id)
        let place = place(of: hash)
        guard place < order.count, entries[Int(order[place])].hash == hash, isRead[Int(order[place])] else {
            return nil
        }
        return entries[Int(order[place])].group
    }

    /// Returns the index of the first hash that is not less.
    private func place(of hash: UInt64) -> Int {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[Int(order[middle])].hash < hash { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func sample(_ number: Int) -> Sample? {
        let entry = entries[number]
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(entry.length)) { buffer, count in
            count = max(0, pread(file.fileDescriptor, buffer.baseAddress, Int(entry.length), off_t(entry.place)))
        }
        return bytes.withUnsafeBufferPointer { Self.parse($0, subject) }
    }

    /// Returns the part of a label that determines its group; the label was checked when it was read.
    private static func head(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ subject: Subject
    ) -> (id: String, group: String, category: SampleCategory)? {
        guard subject == .spines else {
            return parse(bytes, subject).map { ($0.id, $0.shardGroup, $0.category) }
        }
        guard case .object(let members)? = try? JSONParser.parse(bytes) else { return nil }
        var fields = FieldReader(members)
        let id = fields.text("id")
        let group = fields.optionalText("group")
        let category = fields.choice("category", of: SampleCategory.self)
        return category.flatMap { fields.faults.isEmpty ? (id, group ?? id, $0) : nil }
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
        while let data = try file.read(upToCount: 1 << 20), !data.isEmpty {
            count += data.withUnsafeBytes { bytes in bytes.count { $0 == 0x0A } }
        }
        return count
    }
}
