package import Foundation
import Imaging
package import SpineDatasets

/// Brings labels and pictures of other formats into a dataset's folder.
package struct DatasetImporter: Sendable {
    private let options: ImportOptions

    package init(options: ImportOptions) { self.options = options }

    /// Imports a source.
    ///
    /// Nothing is left of the folder when the import fails.
    ///
    /// `source`: A folder with labels and pictures, or the file with the labels. `folder`: Is made; may exist if it
    /// is empty. `found`: Receives the assumed format of the source, before it is read.
    ///
    /// - Throws: `DatasetError.faults` with every bad record unless those are skipped, `.operation` when the source
    ///   is not understood or the folder cannot be written.
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
        let unfinished = "an import was interrupted; remove the folder and import again"
        try DatasetSeal.write(
            DatasetManifest(name: name, unfinished: unfinished),
            to: output.url.appending(path: "dataset.json")
        )
        var labels: any ImportSource = try self.source(candidate)
        var intake = RecordIntake(options: options, finder: finder, output: output)
        try labels.read { item throws(DatasetError) in try intake.take(item) }
        try intake.finish()
        let faults = intake.faults
        guard faults.isEmpty || options.skipsBadRecords else { throw faults.error(path: source) }
        guard !intake.samplePlaces.isEmpty || !intake.shelfPlaces.isEmpty else {
            guard faults.isEmpty else { throw faults.error(path: source) }
            throw .operation(path: candidate.files[0], problem: "has no records to import")
        }
        var manifest = labels.manifest ?? DatasetManifest(name: name)
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
            remarks: labels.remarks,
            notes: intake.notes,
            leftOut: faults
        )
        try output.write(Array(report.card(manifest).utf8), to: "CARD.md")
        do throws(DatasetError) {
            report.dataset = try DatasetSeal.seal(output.url, as: manifest)
        } catch {
            let places = [Labels.samplesFile: intake.samplePlaces, Labels.shelvesFile: intake.shelfPlaces]
            throw error.traced { file, line in
                let found = places.first { output.url.appending(path: $0.key).path == file }?.value
                return found.flatMap { $0.indices.contains(line - 1) ? $0[line - 1] : nil }
            }
        }
        return report
    }

    private func source(_ candidate: ImportSniffer.Candidate) throws(DatasetError) -> any ImportSource {
        let file = candidate.files[0]
        return switch candidate.format {
        case .csv: CSVSource(path: file, overrides: options.columns)
        case .jsonl: JSONLinesSource(path: file, overrides: options.columns)
        case .paddleocr: try PaddleOCRSource(path: file)
        case .icdar2015: ICDARSource(files: candidate.files)
        case .coco: COCOSource(path: file)
        case .labelstudio: LabelStudioSource(path: file)
        }
    }
}

extension DatasetError {
    /// Returns a fault of the labels as a whole as one of their source lines.
    fileprivate func traced(_ place: (String, Int) -> ImportPlace?) -> DatasetError {
        guard case .faults(let path, let faults, let more) = self else { return self }
        let traced = faults.map { fault in
            fault.line.flatMap { place(fault.file, $0) }?.fault(fault.message) ?? fault
        }
        return .faults(path: path, faults: traced, more: more)
    }
}
