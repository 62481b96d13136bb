import Basics
import Foundation

/// Labels of a dataset's files, before pictures are checked.
package struct Labels {
    package struct Labelled<Record: Sendable>: Sendable {
        package var line: Int
        package var record: Record
    }

    /// Samples; empty when there is a fault.
    package private(set) var samples: [Labelled<Sample>] = []
    /// Shelves; empty when there is a fault.
    package private(set) var shelves: [Labelled<ShelfRecord>] = []
    package private(set) var faults = FaultList()
    /// The label files that are there, by their names in the folder.
    private(set) var files: [String] = []

    private let folder: String
    private let store: PictureStore
    /// The split that a group was in first, and where.
    private var splitOfGroup: [String: (split: String, line: Int)] = [:]

    package static let samplesFile = "samples.jsonl"
    package static let shelvesFile = "shelves.jsonl"

    package init(of folder: String, _ store: PictureStore) {
        (self.folder, self.store) = (folder, store)
        files = [Self.samplesFile, Self.shelvesFile].filter { FileManager.default.fileExists(atPath: path($0)) }
        if files.isEmpty {
            let problem = "missing or unreadable, and \(Self.shelvesFile) is missing; expected one JSON object per line"
            faults.add(problem + Self.hint(of: folder), in: path(Self.samplesFile))
        }
        if files.contains(Self.samplesFile) { readSamples() }
        if files.contains(Self.shelvesFile) { readShelves() }
        if !faults.isEmpty { (samples, shelves) = ([], []) }
    }

    /// Returns the solution when only archives or pictures exist.
    private static func hint(of folder: String) -> String {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        if names.contains(where: { $0.hasSuffix(".tar") }) {
            return ". To create it from the archives' labels: python3 scripts/pack.py --index \(folder)"
        }
        let hasPictures = names.contains {
            ["jpg", "jpeg", "png", "heic"].contains(($0.lowercased() as NSString).pathExtension)
        }
        return hasPictures ? ". To label the pictures: spinebench label \(folder)" : ""
    }

    func filtered(_ part: Part) -> Labels {
        var labels = self
        labels.samples = samples.filter { part.holds($0.record) }
        labels.shelves = shelves.filter { part.holds(Sample($0.record.shelf)) }
        return labels
    }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    private mutating func readSamples() {
        let file = path(Self.samplesFile)
        let count = read(Self.samplesFile, Sample.self, \.id, \.image) { labels, line, sample, at in
            guard let group = sample.group, let split = sample.split else { return }
            let first = labels.splitOfGroup[group]
            if let first, first.split != split {
                at["split"].fault(
                    "group \"\(group)\" is in splits \(first.split) (line \(first.line)) and \(split); "
                        + "samples of one photo must be in one split"
                )
            } else if first == nil {
                labels.splitOfGroup[group] = (split, line)
            }
        } add: { labels, label in
            labels.samples.append(label)
        }
        if count == 0 && !files.contains(Self.shelvesFile) && faults.isEmpty {
            faults.add("no samples; expected one JSON object per line", in: file)
        }
    }

    private mutating func readShelves() {
        let file = path(Self.shelvesFile)
        var lineOfBook: [String: Int] = [:]
        let count = read(Self.shelvesFile, ShelfRecord.self, \.shelf.id, \.shelf.image) { _, line, shelf, at in
            for (index, book) in shelf.shelf.books.enumerated() {
                if let id = book.id, let first = lineOfBook.updateValue(line, forKey: id) {
                    at["books"][index]["id"].fault("duplicate book \"\(id)\", first in line \(first)")
                }
            }
        } add: { labels, label in
            labels.shelves.append(label)
        }
        if count == 0 && faults.isEmpty && samples.isEmpty {
            faults.add("no shelves; expected one JSON object per line", in: file)
        }
    }

    /// Reads a file's records, and adds the faults of each line; `check` finds those of a record among others.
    ///
    /// Returns the number of lines.
    private mutating func read<Record: Decodable & Sendable>(
        _ name: String,
        _ type: Record.Type,
        _ id: (Record) -> String,
        _ image: (Record) -> String,
        check: (inout Labels, Int, Record, Checker) -> Void,
        add: (inout Labels, Labelled<Record>) -> Void
    ) -> Int {
        let file = path(name)
        var lineOfID: [String: Int] = [:]
        let lines: [(number: Int, bytes: ArraySlice<UInt8>)]
        do { lines = try LineFile.lines(of: file) } catch {
            faults.add("cannot be read: \(error.systemReason)", in: file)
            return 0
        }
        for (number, bytes) in lines {
            let collector = FaultCollector(file: file, ignoresUnknownKeys: true)
            do throws(Faults) {
                let root = try JSONParser.node(Array(bytes), line: number, collector)
                let record = try LocatedDecoder.decode(type, from: root, collector) { record, at in
                    let (id, image) = (id(record), image(record))
                    if !id.isEmpty, let first = lineOfID[id] {
                        at["id"].fault("duplicate id \"\(id)\", first used in line \(first)")
                    } else if !id.isEmpty {
                        lineOfID[id] = number
                    }
                    // The file's existence is cheap to test; reading its contents is not.
                    if at["image"].isSound, !store.contains(image) {
                        at["image"].fault("the picture \"\(image)\" does not exist")
                    }
                    check(&self, number, record, at)
                    return record
                }
                add(&self, Labelled(line: number, record: record))
            } catch {
                faults.add(error.faults)
            }
        }
        return lines.count
    }
}
