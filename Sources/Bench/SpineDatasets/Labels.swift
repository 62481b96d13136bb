import Basics
import Foundation

/// Labels of a dataset's files, before pictures are checked.
package struct Labels {
    /// Record and its line number.
    struct Labelled<Record: Sendable>: Sendable {
        var line: Int
        var record: Record
    }

    /// Samples; empty when there is a fault.
    private(set) var samples: [Labelled<Sample>] = []
    /// Shelves; empty when there is a fault.
    private(set) var shelves: [Labelled<ShelfRecord>] = []
    private(set) var faults = FaultList()
    /// The label files that are there, by their names in the folder.
    private(set) var files: [String] = []

    private let folder: String
    private let store: PictureStore
    /// The split that a group was in first, and where.
    private var splitOfGroup: [String: (split: String, line: Int)] = [:]

    package static let samplesFile = "samples.jsonl"
    package static let shelvesFile = "shelves.jsonl"

    /// Reads the label files of `folder`.
    init(of folder: String, _ store: PictureStore) {
        (self.folder, self.store) = (folder, store)
        files = [Self.samplesFile, Self.shelvesFile].filter { FileManager.default.fileExists(atPath: path($0)) }
        if files.isEmpty {
            faults.add(
                "missing or unreadable, and \(Self.shelvesFile) is missing; expected one JSON object per line"
                    + Self.hint(of: folder),
                in: path(Self.samplesFile)
            )
        }
        if files.contains(Self.samplesFile) { readSamples() }
        if files.contains(Self.shelvesFile) { readShelves() }
        if !faults.isEmpty { (samples, shelves) = ([], []) }
    }

    /// Returns the solution when only archives exist.
    private static func hint(of folder: String) -> String {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard names.contains(where: { $0.hasSuffix(".tar") }) else { return "" }
        return ". To create it from the archives' labels: spinebench dataset index \(folder)"
    }

    /// Returns the labels of a shard's pictures.
    func filtered(_ shard: Shard) -> Labels {
        var labels = self
        labels.samples = samples.filter { shard.holds($0.record) }
        labels.shelves = shelves.filter { shard.holds(Sample($0.record.shelf)) }
        return labels
    }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    private mutating func readSamples() {
        let file = path(Self.samplesFile)
        var count = 0
        read(Self.samplesFile, SampleParser.sample) { labels, line, sample in
            count += 1
            guard let sample else { return }
            if let group = sample.group, let split = sample.split {
                let first = labels.splitOfGroup[group]
                if let first, first.split != split {
                    labels.faults.add(
                        "group \"\(group)\" is in splits \(first.split) (line \(first.line)) and \(split); "
                            + "samples of one photo must be in one split",
                        in: file,
                        line: line
                    )
                } else if first == nil {
                    labels.splitOfGroup[group] = (split, line)
                }
            }
            if labels.faults.isEmpty { labels.samples.append(Labelled(line: line, record: sample)) }
        }
        if count == 0 && !files.contains(Self.shelvesFile) && faults.isEmpty {
            faults.add("no samples; expected one JSON object per line", in: file)
        }
    }

    private mutating func readShelves() {
        let file = path(Self.shelvesFile)
        var lineOfBook: [String: Int] = [:]
        var count = 0
        read(Self.shelvesFile, ShelfParser.shelf) { labels, line, shelf in
            count += 1
            guard let shelf else { return }
            for id in shelf.shelf.books.compactMap(\.id) {
                if let first = lineOfBook.updateValue(line, forKey: id) {
                    labels.faults.add("duplicate book \"\(id)\", first in line \(first)", in: file, line: line)
                }
            }
            if labels.faults.isEmpty { labels.shelves.append(Labelled(line: line, record: shelf)) }
        }
        if count == 0 && faults.isEmpty && samples.isEmpty {
            faults.add("no shelves; expected one JSON object per line", in: file)
        }
    }

    private struct Parsed<Record: Sendable>: Sendable {
        /// Record; nil when there is a fault.
        var record: Record?
        /// Identifier; nil when it is unknown.
        var id: String?
        var faults: [String]
    }

    /// Parses a file, reports the faults of each line, and returns the records; nil for a line with a fault.
    private mutating func read<Record: LabelRecord>(
        _ name: String,
        _ record: @escaping @Sendable (inout FieldReader) -> Record,
        take: (inout Labels, Int, Record?) -> Void
    ) {
        let file = path(name)
        let store = store
        var lineOfID: [String: Int] = [:]
        do {
            try LineFile(file).read { bytes in
                Self.parse(bytes, record, store)
            } take: { line, parsed in
                guard case .parsed(let parsed) = parsed else {
                    let problem = "longer than \(LineFile.maximumLine) bytes; expected one JSON object"
                    faults.add(problem, in: file, line: line)
                    return take(&self, line, nil)
                }
                for fault in parsed.faults { faults.add(fault, in: file, line: line) }
                if let id = parsed.id, let first = lineOfID.updateValue(line, forKey: id) {
                    lineOfID[id] = first
                    faults.add("duplicate id \"\(id)\", first used in line \(first)", in: file, line: line)
                }
                take(&self, line, parsed.record)
            }
        } catch {
            faults.add("cannot be read: \(error.systemReason)", in: file)
        }
    }

    private static func parse<Record: LabelRecord>(
        _ line: UnsafeBufferPointer<UInt8>,
        _ record: (inout FieldReader) -> Record,
        _ store: PictureStore
    ) -> Parsed<Record> {
        let value: JSONValue
        do {
            value = try JSONParser.parse(line)
        } catch {
            return Parsed(faults: ["not valid JSON: \(error)"])
        }
        guard case .object(let members) = value else {
            return Parsed(faults: ["expected a JSON object, found \(value.kind)"])
        }
        var fields = FieldReader(members)
        let record = record(&fields)
        let (image, id) = (record.image, record.id)
        // The file's existence is cheap to test; reading its contents is not.
        if !image.isEmpty, !store.contains(image) {
            fields.faults.append("image \"\(image)\" does not exist")
        }
        let faults = fields.faults
        return Parsed(record: faults.isEmpty ? record : nil, id: id.isEmpty ? nil : id, faults: faults)
    }
}

/// Record of a line of any label file.
private protocol LabelRecord: Sendable {
    var id: String { get }
    var image: String { get }
}

extension Sample: LabelRecord {}
extension ShelfRecord: LabelRecord {
    var id: String { shelf.id }
    var image: String { shelf.image }
}
