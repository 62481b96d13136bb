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
    private(set) var faults: [Fault] = []
    private(set) var badRecords = 0
    /// Places of the records by the label file that has them, a line each.
    private(set) var places = [Labels.samplesFile: [ImportPlace](), Labels.shelvesFile: []]
    private(set) var books = 0
    private var ownNotes: [ImportNote: Int] = [:]

    init(options: ImportOptions, finder: PictureFinder, output: DatasetOutput) {
        (self.options, self.finder, self.output) = (options, finder, output)
        pictures = PictureIntake(into: output, keepsMetadata: options.keepsMetadata)
        labeller = SpineLabeller(options: options)
    }

    var notes: [ImportNote: Int] {
        [labeller.notes, pictures.notes, [.unusedPicture: finder.unused, .displacedPicture: finder.displacedCount]]
            .reduce(ownNotes) { $0.merging($1, uniquingKeysWith: +) }.filter { $0.value > 0 }
    }

    /// Takes a record: a picture's labels, a fault, or notes alone.
    mutating func take(_ record: FormatProgram.Record) throws(DatasetError) {
        // A bad record's counts do not count, but for its own notes.
        let (labelsBefore, idsBefore) = (labeller, ids)
        do throws(ImportFault) {
            for (name, count) in record.fields["notes"]?.fields ?? [:] {
                guard let note = ImportNote(rawValue: name) else {
                    throw ImportFault("unknown note \"\(name)\"; expected one of \(ImportNote.list)")
                }
                ownNotes[note, default: 0] += count == .bool(true) ? 1 : count.whole ?? 0
            }
            if let fault = record.fault { throw ImportFault(messages: fault) }
            guard record.fields.keys.contains(where: { !["notes", "remark"].contains($0) }) else { return }
            try write(LabelRecord(record))
        } catch {
            (labeller, ids) = (labelsBefore, idsBefore)
            if let failure = error.failure { throw failure }
            badRecords += 1
            faults += error.messages.map(record.place.fault)
        }
    }

    private mutating func write(_ record: LabelRecord) throws(ImportFault) {
        let path = try finder.find(record.picture)
        // Once the import is bound to be refused, pictures are only checked.
        let isWriting = badRecords == 0 || options.skipsBadRecords
        let picture = try pictures.take(finder.file(path), source: path, isWriting: isWriting)
        let placed = try PlacedLabels(record, on: picture.header, asked: options.frame)
        let id = try id(stated: placed.isShelf ? nil : placed.spines[0].stated[.id], path, placed.isShelf, record.place)
        if placed.isShelf {
            var shelf = Shelf(id: id, image: picture.path, books: [])
            for spine in placed.spines { shelf.books.append(labeller.book(spine)) }
            try write(shelf, LabelCheck.faults(of: shelf), to: Labels.shelvesFile, record.place)
            books += shelf.books.count
        } else {
            let sample = labeller.sample(placed.spines[0], id: id, picture: picture)
            try write(SampleLine(sample), LabelCheck.faults(of: sample), to: Labels.samplesFile, record.place)
        }
        ownNotes.merge(placed.notes, uniquingKeysWith: +)
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
        return id
    }

    private mutating func write(
        _ value: some Encodable,
        _ faults: [String],
        to file: String,
        _ place: ImportPlace
    ) throws(ImportFault) {
        guard faults.isEmpty else { throw ImportFault(messages: faults) }
        do {
            output.add(JSONObjectText(Array(try JSONLine.encode(value).dropLast())), to: file)
        } catch {
            throw ImportFault("cannot be written: \(error.systemReason)")
        }
        places[file]?.append(place)
    }
}
