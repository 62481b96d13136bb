package import Basics
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
    package private(set) var shelves: [Labelled<Shelf>] = []
    package private(set) var faults: [Fault] = []

    private let folder: String
    private let store: PictureStore?

    package static let samplesFile = "samples.jsonl"
    package static let shelvesFile = "shelves.jsonl"

    /// `store`: Where the pictures have to be; nil for labels whose pictures are still to come.
    package init(of folder: String, _ store: PictureStore?) {
        (self.folder, self.store) = (folder, store)
        let files = [Self.samplesFile, Self.shelvesFile].filter {
            FileManager.default.fileExists(atPath: "\(folder)/\($0)")
        }
        if files.contains(Self.samplesFile) { readSamples() }
        if files.contains(Self.shelvesFile) { readShelves() }
        if !faults.isEmpty {
            (samples, shelves) = ([], [])
        } else if files.isEmpty {
            let problem = "missing or unreadable, and \(Self.shelvesFile) is missing; expected one JSON object per line"
            faults = [Fault(file: "\(folder)/\(Self.samplesFile)", message: problem + Self.hint(of: folder))]
        } else if samples.isEmpty, shelves.isEmpty, let file = files.last {
            let problem = "no \(file.dropLast(".jsonl".count)); expected one JSON object per line"
            faults = [Fault(file: "\(folder)/\(file)", message: problem)]
        }
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
        labels.shelves = shelves.filter { part.holds(Sample($0.record)) }
        return labels
    }

    private mutating func readSamples() {
        var splitOfGroup: [String: (split: String, line: Int)] = [:]
        samples = read(Self.samplesFile, id: \.id, image: \.image) { sample, line, at in
            guard let group = sample.group, let split = sample.split else { return }
            if let first = splitOfGroup[group], first.split != split {
                at["split"].fault(
                    "group \"\(group)\" is in splits \(first.split) (line \(first.line)) and \(split); "
                        + "samples of one photo must be in one split"
                )
            } else if splitOfGroup[group] == nil {
                splitOfGroup[group] = (split, line)
            }
        }
    }

    private mutating func readShelves() {
        var lineOfBook: [String: Int] = [:]
        shelves = read(Self.shelvesFile, id: \.id, image: \.image) { shelf, line, at in
            for (index, book) in shelf.books.enumerated() {
                if let id = book.id, let first = lineOfBook.updateValue(line, forKey: id) {
                    at["books"][index]["id"].fault("duplicate book \"\(id)\", first in line \(first)")
                }
            }
        }
    }

    /// Reads a file's records, and adds the faults of each line; `check` finds those of a record among others.
    private mutating func read<Record: Decodable & Sendable>(
        _ name: String,
        id: (Record) -> String,
        image: (Record) -> String,
        check: (Record, Int, Checker) -> Void
    ) -> [Labelled<Record>] {
        let file = "\(folder)/\(name)"
        var lineOfID: [String: Int] = [:]
        var records: [Labelled<Record>] = []
        let lines: [(number: Int, bytes: ArraySlice<UInt8>)]
        do { lines = try LineFile.lines(of: file) } catch {
            faults.append(Fault(file: file, message: "cannot be read: \(error.systemReason)"))
            return []
        }
        for (number, bytes) in lines {
            let collector = FaultCollector(file: file, ignoresUnknownKeys: true)
            do throws(Faults) {
                let root = try JSONParser.node(Array(bytes), line: number, collector)
                let record = try LocatedDecoder.decode(Record.self, from: root, collector) { record, at in
                    let (id, image) = (id(record), image(record))
                    if !id.isEmpty, let first = lineOfID[id] {
                        at["id"].fault("duplicate id \"\(id)\", first used in line \(first)")
                    } else if !id.isEmpty {
                        lineOfID[id] = number
                    }
                    // The file's existence is cheap to test; reading its contents is not.
                    if let store, at["image"].isSound, !store.contains(image) {
                        at["image"].fault("the picture \"\(image)\" does not exist")
                    }
                    check(record, number, at)
                    return record
                }
                records.append(Labelled(line: number, record: record))
            } catch {
                faults += error.faults
            }
        }
        return records
    }
}
