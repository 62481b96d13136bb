import Foundation
import Imaging
import SpineDatasets

struct RecordIntake {
    private let options: ImportOptions
    private var finder: PictureFinder
    private var pictures: PictureIntake
    private var labeller: SpineLabeller
    private var sampleFile: LineWriter
    private var shelfFile: LineWriter
    /// First use of each id; samples and shelves may have the same.
    private var ids: [String: String] = [:]
    /// The number that the next id after the same picture's name ends in.
    private var numbers: [String: Int] = [:]
    /// The id of the record that is being taken.
    private var newID: String?
    /// Faults of invalid records: more than a readable list has, within the memory.
    private(set) var faults = FaultList(limit: 10_000)
    private(set) var badRecords = 0
    /// Remarks for people on how the labels were understood.
    var remarks: [String] = []
    /// Manifest of the dataset that the labels were exported from.
    var manifest: DatasetManifest?
    private(set) var samplePlaces: [ImportPlace] = []
    private(set) var shelfPlaces: [ImportPlace] = []
    private(set) var books = 0
    private var ownNotes: [ImportNote: Int] = [:]

    init(options: ImportOptions, finder: PictureFinder, output: OutputFolder) {
        self.options = options
        self.finder = finder
        pictures = PictureIntake(into: output, keepsMetadata: options.keepsMetadata)
        labeller = SpineLabeller(options: options)
        sampleFile = LineWriter(output.url.appending(path: Labels.samplesFile))
        shelfFile = LineWriter(output.url.appending(path: Labels.shelvesFile))
    }

    var notes: [ImportNote: Int] {
        ownNotes.merging(labeller.notes, uniquingKeysWith: +).merging(pictures.notes, uniquingKeysWith: +)
            .filter { $0.value > 0 }
    }

    mutating func count(_ note: ImportNote, _ number: Int) { ownNotes[note, default: 0] += number }

    /// Adds the faults of a record that is invalid.
    mutating func refuse(_ found: [DatasetFault]) {
        badRecords += 1
        faults.add(found)
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

    mutating func finish() throws(DatasetError) {
        try sampleFile.close()
        try shelfFile.close()
        (ownNotes[.unusedPicture], ownNotes[.displacedPicture]) = (finder.unused, finder.displacedCount)
    }

    private mutating func write(_ record: ImportRecord) throws(ImportFault) {
        let (path, picture) = try picture(of: record)
        switch record.content {
        case .spine(let spine):
            let framed = try framed([spine], record, picture)[0]
            let id = try id(stated: spine.stated[.id], picture: path, record)
            try write(labeller.sample(framed, id: id, picture: picture), record.place)
        case .shelf(let spines):
            let framed = try framed(spines, record, picture)
            var shelf = Shelf(id: try id(stated: nil, picture: path, record), image: picture.path, books: [])
            for spine in framed { shelf.books.append(labeller.book(spine)) }
            try write(shelf, record.place)
        case .exported(let labels):
            if var sample = labels.sample {
                sample.image = picture.path
                sample.id = try id(stated: sample.id, picture: path, record)
                try write(sample, record.place)
            } else if var shelf = labels.shelf {
                shelf.image = picture.path
                shelf.id = try id(stated: shelf.id, picture: path, record)
                try write(shelf, record.place)
            }
        }
    }

    private mutating func picture(
        of record: ImportRecord
    ) throws(ImportFault) -> (path: String, picture: PictureIntake.Picture) {
        var wished: String?
        if case .exported(let labels) = record.content {
            wished = labels.sample?.image ?? labels.shelf?.image
            if let wished, !FileName.isInside(wished) {
                throw ImportFault("image \"\(wished)\" is outside the dataset")
            }
        }
        let path = try finder.find(record.picture)
        // Once the import is bound to be refused, pictures are only checked.
        let isWriting = badRecords == 0 || options.skipsBadRecords
        return (path, try pictures.take(finder.file(path), source: path, wished: wished, isWriting: isWriting))
    }

    /// Returns the spines with their shapes in the pixels of the upright picture.
    private mutating func framed(
        _ spines: [ForeignSpine],
        _ record: ImportRecord,
        _ picture: PictureIntake.Picture
    ) throws(ImportFault) -> [ForeignSpine] {
        let shapes = spines.flatMap { [$0.outline].compactMap { $0 } + ($0.lines ?? []).map(\.shape) }
        guard !shapes.isEmpty else { return spines }
        let frame = try CoordinateFrame.used(by: shapes, of: record, picture, asked: options.frame)
        let isTurned = frame == .stored && picture.stored.orientation > 1
        func placed(_ shape: Shape) -> Shape {
            isTurned ? picture.stored.upright(shape.scaled(to: picture.stored.size)) : shape.scaled(to: picture.size)
        }
        if isTurned { ownNotes[.coordinatesTurned, default: 0] += 1 }
        var messages: [String] = []
        let framed = spines.map { spine in
            var spine = spine
            spine.outline = spine.outline.map(placed)
            if let outline = spine.outline, outline.corners.isOutside(picture.size) {
                messages.append("a spine's outline is outside the picture of \(picture.size) pixels")
            }
            spine.lines = spine.lines.map { lines in
                lines.map { line in
                    var line = line
                    line.shape = placed(line.shape)
                    if line.shape.corners.isOutside(picture.size) {
                        messages.append(
                            "the line \"\(line.text ?? "###")\" is outside the picture of \(picture.size) pixels"
                        )
                    }
                    return line
                }
            }
            return spine
        }
        guard messages.isEmpty else { throw ImportFault(messages: messages) }
        return framed
    }

    /// Returns the id that a record states, or one after its picture.
    private mutating func id(stated: String?, picture: String, _ record: ImportRecord) throws(ImportFault) -> String {
        let isShelf =
            switch record.content {
            case .spine: false
            case .shelf: true
            case .exported(let labels): labels.shelf != nil
            }
        func key(_ id: String) -> String { isShelf ? "shelf " + id : "spine " + id }
        let place = record.place.line.map { "line \($0)" } ?? record.place.record ?? record.place.file
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
        if stated == nil { numbers[key(stem)] = number }
        if stated == nil, id != stem { ownNotes[.idMadeUnique, default: 0] += 1 }
        ids[key(id)] = place
        newID = key(id)
        return id
    }

    private mutating func write(_ sample: Sample, _ place: ImportPlace) throws(ImportFault) {
        try write(SampleLine(sample), LabelCheck.faults(of: sample), to: &sampleFile)
        samplePlaces.append(place)
    }

    private mutating func write(_ shelf: Shelf, _ place: ImportPlace) throws(ImportFault) {
        try write(shelf, LabelCheck.faults(of: shelf), to: &shelfFile)
        shelfPlaces.append(place)
        books += shelf.books.count
    }

    private func write(_ value: some Encodable, _ messages: [String], to file: inout LineWriter) throws(ImportFault) {
        guard messages.isEmpty else { throw ImportFault(messages: messages) }
        do throws(DatasetError) {
            try file.write(value)
        } catch {
            throw ImportFault(failure: error)
        }
    }
}
