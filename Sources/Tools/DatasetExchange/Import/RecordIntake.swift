import Basics
import Foundation
import Imaging
import SpineDatasets

/// Intake of records into a dataset: pictures, regions in their pixels, labels, and ids.
struct RecordIntake {
    private let options: ImportOptions
    private var finder: PictureFinder
    private var pictures: PictureIntake
    private var labeller: SpineLabeller
    var output: DatasetOutput
    /// First use of each id; samples and shelves may have the same.
    private var ids: [String: String] = [:]
    /// The number that the next id after the same picture's name ends in.
    private var numbers: [String: Int] = [:]
    /// The id of the record that is being taken.
    private var newID: String?
    /// Faults of invalid records: more than a readable list has, within the memory.
    private(set) var faults = FaultList(limit: 10_000)
    private(set) var badRecords = 0
    private(set) var samplePlaces: [ImportPlace] = []
    private(set) var shelfPlaces: [ImportPlace] = []
    private(set) var books = 0
    private var ownNotes: [ImportNote: Int] = [:]

    init(options: ImportOptions, finder: PictureFinder, output: DatasetOutput) {
        (self.options, self.finder, self.output) = (options, finder, output)
        pictures = PictureIntake(into: output.folder, keepsMetadata: options.keepsMetadata)
        labeller = SpineLabeller(options: options)
    }

    var notes: [ImportNote: Int] {
        [labeller.notes, pictures.notes, [.unusedPicture: finder.unused, .displacedPicture: finder.displacedCount]]
            .reduce(ownNotes) { $0.merging($1, uniquingKeysWith: +) }.filter { $0.value > 0 }
    }

    /// Adds the faults of a record that is invalid.
    mutating func refuse(_ found: [DatasetFault]) {
        badRecords += 1
        faults.add(found)
    }

    /// Takes a program's record: a picture's labels, a fault, or notes alone.
    mutating func take(_ record: FormatProgram.Record) throws(DatasetError) {
        for (name, count) in record.fields["notes"]?.fields ?? [:] {
            guard let note = ImportNote(rawValue: name) else {
                let known = ImportNote.allCases.map(\.rawValue).joined(separator: ", ")
                return refuse([record.place.fault("unknown note \"\(name)\"; expected one of \(known)")])
            }
            ownNotes[note, default: 0] += count == .bool(true) ? 1 : count.whole ?? 0
        }
        if let fault = record.fault { return refuse(fault.map(record.place.fault)) }
        guard record.fields.keys.contains(where: { !["notes", "remark"].contains($0) }) else { return }
        let labels: ImportRecord
        do throws(ImportFault) { labels = try ImportRecord(record) } catch {
            return refuse(error.messages.map(record.place.fault))
        }
        try take(labels)
    }

    mutating func take(_ record: ImportRecord) throws(DatasetError) {
        // A bad record's earlier counts do not count.
        let before = labeller
        newID = nil
        do throws(ImportFault) {
            try write(record)
        } catch {
            labeller = before
            if let newID { ids[newID] = nil }
            if let failure = error.failure { throw failure }
            refuse(error.messages.map(record.place.fault))
        }
    }

    private mutating func write(_ record: ImportRecord) throws(ImportFault) {
        let path = try finder.find(record.picture)
        // Once the import is bound to be refused, pictures are only checked.
        let isWriting = badRecords == 0 || options.skipsBadRecords
        let picture = try pictures.take(finder.file(path), source: path, isWriting: isWriting)
        var drawn = try DrawnSpines(record, on: picture, asked: options.frame)
        if !drawn.isShelf { drawn.spines[0].stated.fill(from: record.stated) }
        let stated = drawn.isShelf ? nil : drawn.spines[0].stated[.id]
        let id = try id(stated: stated, path, drawn.isShelf, record.place)
        if drawn.isShelf {
            var shelf = Shelf(id: id, image: picture.path, books: [])
            for spine in drawn.spines { shelf.books.append(labeller.book(spine)) }
            try write(shelf, LabelCheck.faults(of: shelf), to: Labels.shelvesFile)
            shelfPlaces.append(record.place)
            books += shelf.books.count
        } else {
            let sample = labeller.sample(drawn.spines[0], id: id, picture: picture)
            try write(SampleLine(sample), LabelCheck.faults(of: sample), to: Labels.samplesFile)
            samplePlaces.append(record.place)
        }
        ownNotes.merge(drawn.notes, uniquingKeysWith: +)
    }

    /// Returns the id that a record states, or one after its picture.
    private mutating func id(
        stated: String?,
        _ picture: String,
        _ isShelf: Bool,
        _ place: ImportPlace
    ) throws(ImportFault) -> String {
        func key(_ id: String) -> String { (isShelf ? "shelf " : "spine ") + id }
        let stem = FileName.safe(URL(filePath: picture).deletingPathExtension().lastPathComponent)
        var id = stated ?? stem
        if let stated, let first = ids[key(stated)] {
            throw ImportFault("duplicate id \"\(stated)\", first used in \(first)")
        }
        // Continues from the last number: a table may name one picture ten thousand times.
        var number = numbers[key(stem)] ?? 2
        while ids[key(id)] != nil {
            id = "\(stem)-\(number)"
            number += 1
        }
        if stated == nil {
            numbers[key(stem)] = number
            if id != stem { ownNotes[.idMadeUnique, default: 0] += 1 }
        }
        ids[key(id)] = place.line.map { "line \($0)" } ?? place.record ?? place.file
        newID = key(id)
        return id
    }

    private mutating func write(_ value: some Encodable, _ faults: [String], to file: String) throws(ImportFault) {
        guard faults.isEmpty else { throw ImportFault(messages: faults) }
        do {
            output.add(JSONObjectText(Array(try JSONLine.encode(value).dropLast())), to: file)
        } catch {
            throw ImportFault("cannot be written: \(error.systemReason)")
        }
    }
}
