package import Foundation
import Imaging
package import SpineDatasets

/// Brings labels and pictures of other formats into a dataset's folder.
package struct DatasetImporter: Sendable {
    private let options: ImportOptions

    package init(options: ImportOptions) { self.options = options }

    /// Imports a folder with labels and pictures, or a file of labels, into a folder that is new or empty.
    ///
    /// Nothing is left of the folder when the import fails. `found`: Receives the assumed format, before the source is
    /// read.
    ///
    /// - Throws: `DatasetError.faults` with every bad record unless those are skipped.
    package func run(
        _ source: String,
        to folder: URL,
        found: (ImportFormat, String) -> Void = { _, _ in }
    ) throws(DatasetError) -> ImportReport {
        let (candidate, pictures) = try ImportSniffer.find(source, format: options.format)
        found(candidate.format, candidate.files[0])
        if let path = options.pictures, !ImportSniffer.isFolder(path) {
            throw .operation(path: path, problem: "is not a folder; expected the folder of the pictures")
        }
        let output = try OutputFolder(folder)
        do {
            return try write(candidate, PictureFinder(folder: options.pictures ?? pictures), source, output)
        } catch {
            output.discard()
            throw error
        }
    }

    private func write(
        _ candidate: ImportSniffer.Candidate,
        _ finder: PictureFinder,
        _ source: String,
        _ output: OutputFolder
    ) throws(DatasetError) -> ImportReport {
        let name = options.name ?? output.url.standardizedFileURL.lastPathComponent
        var manifest = DatasetManifest(name: name)
        manifest.unfinished = "an import was interrupted; remove the folder and import again"
        try DatasetSeal.write(manifest, to: output.url.appending(path: "dataset.json"))
        var intake = RecordIntake(options: options, finder: finder, output: output)
        try read(candidate, into: &intake)
        try intake.finish()
        let isEmpty = intake.samplePlaces.isEmpty && intake.shelfPlaces.isEmpty
        guard intake.badRecords == 0 || options.skipsBadRecords && !isEmpty else {
            throw intake.faults.error(path: source)
        }
        guard !isEmpty else {
            throw .operation(path: candidate.files[0], problem: "has no records to import")
        }
        manifest = intake.manifest ?? DatasetManifest(name: name)
        manifest.name = options.name ?? manifest.name
        manifest.licence = options.licence ?? manifest.licence
        manifest.description =
            manifest.description ?? "Imported from \(candidate.format.label) on \(options.date); see CARD.md."
        var report = ImportReport(
            format: candidate.format,
            files: candidate.files,
            source: source,
            date: options.date,
            samples: intake.samplePlaces.count,
            shelves: intake.shelfPlaces.count,
            books: intake.books,
            remarks: intake.remarks,
            notes: intake.notes,
            skipped: intake.badRecords,
            faults: intake.faults
        )
        try output.write(Array(report.card(manifest).utf8), to: "CARD.md")
        do throws(DatasetError) {
            report.dataset = try DatasetSeal.seal(output.url, as: manifest)
        } catch {
            let places = [Labels.samplesFile: intake.samplePlaces, Labels.shelvesFile: intake.shelfPlaces]
            throw error.traced { fault in
                let found = places.first { output.url.appending(path: $0.key).path == fault.file }?.value
                guard let found, let line = fault.line, found.indices.contains(line - 1) else { return nil }
                return found[line - 1].fault(fault.message)
            }
        }
        return report
    }

    private func read(
        _ candidate: ImportSniffer.Candidate,
        into intake: inout RecordIntake
    ) throws(DatasetError) {
        let file = candidate.files[0]
        switch candidate.format {
        case .csv: try TableSource.readCSV(file, options.columns, into: &intake)
        case .jsonl: try TableSource.readJSONLines(file, options.columns, into: &intake)
        case .paddleocr: try PaddleOCRSource.read(file, into: &intake)
        case .icdar2015: try ICDARSource.read(candidate.files, into: &intake)
        case .coco: try COCOSource.read(file, into: &intake)
        case .labelstudio: try LabelStudioSource.read(file, into: &intake)
        }
    }
}
