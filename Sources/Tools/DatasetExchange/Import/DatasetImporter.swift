package import Basics
package import Foundation
package import SpineDatasets

/// Kinds of labels that can be imported.
package enum ImportFormat: Sendable, Equatable {
    /// Table with a row for every picture.
    case csv
    /// JSON object a line, with the names that a table's columns have.
    case jsonl
    /// Labels of another tool, which a program prints.
    case program(FormatProgram)

    package var label: String {
        switch self {
        case .csv: "a CSV or TSV table"
        case .jsonl: "JSON Lines"
        case .program(let program): "labels in the format \(program.name)"
        }
    }

    fileprivate static func ofFile(_ path: String) -> ImportFormat? {
        switch LabelFile.ending(path) {
        case "csv", "tsv": .csv
        case "jsonl", "ndjson": .jsonl
        default: nil
        }
    }

    /// Returns the records of a file: of a table's rows, of lines, or what the program prints.
    fileprivate func records(
        of file: String,
        _ options: ImportOptions
    ) throws(DatasetError) -> [FormatProgram.Record] {
        switch self {
        case .csv, .jsonl: try TableSource.rows(of: file, options.columns, by: options.tables)
        case .program(let program): try program.records(.labels, of: [file], keys: LabelRecord.keys)
        }
    }
}

package struct ImportOptions: Sendable {
    /// Format of the source; nil for a table or JSON Lines, by the file's ending.
    package var format: ImportFormat?
    /// Names of the programs' formats, for the error when a format has to be named.
    package var formats: [String] = []
    package var pictures: String?
    /// Names of columns by their field.
    package var columns: [LabelField: String] = [:]
    package var category: SampleCategory?
    /// Orientation of spines for which neither the source nor the corners of their lines have one.
    package var orientation: SampleOrientation?
    /// Whether the longest line becomes the title when no title is marked.
    package var takesLongestLineForTitle = false
    /// Frame of the coordinates; nil detects it from the sizes in the labels.
    package var frame: CoordinateFrame?
    package var skipsBadRecords = false
    /// Leaves EXIF, GPS, XMP and comments in the pictures.
    package var keepsMetadata = false
    /// Name; nil for that of the written folder.
    package var name: String?
    package var licence: String?
    /// Date on the card, by ISO 8601.
    package var date: String
    /// Program that reads tables and JSON Lines.
    package var tables: FormatProgram

    package init(date: String, tables: FormatProgram) { (self.date, self.tables) = (date, tables) }
}

package struct ImportReport: Sendable {
    package var format: ImportFormat
    package var files: [String]
    package var samples = 0
    package var shelves = 0
    /// Number of books on all shelves.
    package var books = 0
    /// Remarks on how the labels were understood.
    package var remarks: [String] = []
    package var notes: [ImportNote: Int] = [:]
    /// Number of invalid records that were skipped, and their faults.
    package var skipped = 0
    package var faults: [Fault] = []
    /// Dataset as it will be loaded; nil while it is being written.
    package var dataset: Dataset?

    /// Sentences about derived, guessed and omitted data, guesses first.
    package var sentences: [String] {
        let order = ImportNote.allCases.filter(\.isGuess) + ImportNote.allCases.filter { !$0.isGuess }
        return order.compactMap { note in notes[note].map { note.sentence($0) } }
    }

    /// "78 spines", "4 shelves with 31 spines", or both.
    package var contents: String {
        let shelf = "\(shelves) \(shelves == 1 ? "shelf" : "shelves") with \(NumberText.count(books, "spine"))"
        return [samples > 0 ? NumberText.count(samples, "spine") : nil, shelves > 0 ? shelf : nil]
            .compactMap(\.self).joined(separator: " and ")
    }

    /// Returns the dataset's `CARD.md`.
    fileprivate func card(_ manifest: DatasetManifest, of source: String, _ date: String) -> String {
        func items(_ texts: [String]) -> String { texts.map { "* \($0)\n" }.joined() }
        func name(_ path: String) -> String { "`\(path.split(separator: "/").last ?? "")`" }
        let last = files.count == 1 ? "" : " to \(name(files[files.count - 1]))"
        let labels = (files.count == 1 ? "" : "\(files.count) files, ") + name(files[0]) + last
        var text = """
            # \(manifest.name)

            \(contents), licence \(manifest.licence ?? "not stated").

            ## Origin

            Imported on \(date) from \(format.label): \(labels) in \(name(source)).

            """
        if !remarks.isEmpty { text += "\nInterpretation of the labels:\n\n" + items(remarks) }
        text += "\n## Changes to labels and pictures\n\n" + (sentences.isEmpty ? "Nothing.\n" : items(sentences))
        if skipped > 0 {
            text += "\n## Skipped\n\n\(NumberText.count(skipped, "invalid record")):\n\n"
            text += items(faults.map { "`\($0.description.replacing(source + "/", with: ""))`" })
        }
        return text
    }
}

/// Brings labels and pictures of other formats into a dataset's folder.
package struct DatasetImporter: Sendable {
    private let options: ImportOptions
    private static let endings: Set = ["csv", "tsv", "jsonl", "ndjson"]

    package init(options: ImportOptions) { self.options = options }

    /// Imports a folder with labels and pictures, or a file of labels, into a folder that is new or empty.
    ///
    /// Nothing is left of the folder when the import fails. `found`: Receives the format and its file, before that is read.
    ///
    /// - Throws: `DatasetError.faults` with every bad record unless those are skipped.
    package func run(
        _ source: String,
        to folder: URL,
        found: (ImportFormat, String) -> Void = { _, _ in }
    ) throws(DatasetError) -> ImportReport {
        let (format, file) = try labels(source)
        found(format, file)
        let isFolder = FileManager.default.isFolder(source)
        let pictures = options.pictures ?? (isFolder ? source : URL(filePath: source).deletingLastPathComponent().path)
        guard FileManager.default.isFolder(pictures) else {
            throw .operation(path: pictures, problem: "is not a folder; expected the folder of the pictures")
        }
        var manifest = DatasetManifest(name: options.name ?? folder.standardizedFileURL.lastPathComponent)
        manifest.licence = options.licence
        manifest.description = "Imported from \(format.label) on \(options.date); see CARD.md."
        let output = try DatasetOutput(folder, as: manifest)
        do {
            var intake = RecordIntake(options: options, finder: PictureFinder(folder: pictures), output: output)
            var report = ImportReport(format: format, files: [])
            for record in try format.records(of: file, options) {
                if report.files.last != record.place.file, !report.files.contains(record.place.file) {
                    report.files.append(record.place.file)
                }
                try intake.take(record)
                report.remarks += [record.fields["remark"]?.plainText].compactMap(\.self)
            }
            if report.files.isEmpty { report.files = [file] }
            return try finish(&intake, &report, manifest, source)
        } catch {
            output.discard()
            throw error
        }
    }

    /// Returns the format of a source, and its labels: one file, or what a program is to read.
    private func labels(_ source: String) throws(DatasetError) -> (format: ImportFormat, file: String) {
        guard FileManager.default.fileExists(atPath: source) else {
            throw .operation(path: source, problem: "does not exist; expected a folder or a file with labels")
        }
        if case .program = options.format { return (options.format ?? .csv, source) }
        let files = LabelFile.files(source, Self.endings).filter { file in
            options.format == nil || !FileManager.default.isFolder(source)
                || ImportFormat.ofFile(file) == options.format
        }
        guard let file = files.first, let format = options.format ?? .ofFile(file) else {
            throw .operation(
                path: source,
                problem: "no table (csv, tsv) and no JSON Lines (jsonl, ndjson) in it; name the format of other labels "
                    + "with --format (\(options.formats.joined(separator: ", ")))\(LabelFile.guess(source, Self.guess))"
            )
        }
        guard files.count == 1 else {
            let names = files.map { String($0.dropFirst(source.count + 1)) }.joined(separator: ", ")
            throw .operation(
                path: source,
                problem: "has \(files.count) sets of labels: \(names); specify the labels' file"
            )
        }
        return (format, file)
    }

    /// Format that labels of a file's name may be in.
    private static func guess(_ name: String) -> String? {
        if name.lowercased().hasSuffix(".json") { return "coco or labelstudio" }
        return name.hasPrefix("gt_") ? "icdar2015" : name == "Label.txt" ? "paddleocr" : nil
    }

    private func finish(
        _ intake: inout RecordIntake,
        _ report: inout ImportReport,
        _ manifest: DatasetManifest,
        _ source: String
    ) throws(DatasetError) -> ImportReport {
        let counts = [Labels.samplesFile, Labels.shelvesFile].map { intake.places[$0]?.count ?? 0 }
        (report.samples, report.shelves) = (counts[0], counts[1])
        let isEmpty = report.samples + report.shelves == 0
        guard intake.badRecords == 0 || options.skipsBadRecords && !isEmpty else {
            throw .faults(path: source, intake.faults)
        }
        guard !isEmpty else { throw .operation(path: report.files[0], problem: "has no records to import") }
        (report.books, report.notes) = (intake.books, intake.notes)
        (report.skipped, report.faults) = (intake.badRecords, intake.faults)
        let card = report.card(manifest, of: source, options.date)
        try intake.output.write(Array(card.utf8), to: "CARD.md")
        do throws(DatasetError) {
            report.dataset = try intake.output.finish()
        } catch {
            guard case .faults(let path, let faults) = error else { throw error }
            let folder = intake.output.folder
            // The labels that have to be mended are those of the source.
            let traced = faults.map { fault in
                let found = intake.places.first { folder.appending(path: $0.key).path == fault.file }?.value
                guard let found, let line = fault.line, found.indices.contains(line - 1) else { return fault }
                return found[line - 1].fault(fault.text)
            }
            throw .faults(path: path, traced)
        }
        return report
    }
}
