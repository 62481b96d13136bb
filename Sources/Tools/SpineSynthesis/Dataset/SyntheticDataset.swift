import Basics
package import Foundation
import Imaging
package import SpineDatasets

/// A folder of labelled synthetic spines and shelves, drawn picture by picture, so that any number of them fits into
/// memory and drawing can be stopped and resumed.
///
/// The same options, titles, fonts and libraries give the same bytes, independent of the number of threads and of
/// interruptions.
package struct SyntheticDataset: Sendable {
    /// Progress of the drawing, each time that a picture is done.
    package struct Progress: Sendable, Equatable {
        /// "spine" or "shelf".
        package var noun: String
        package var done: Int
        package var total: Int
    }

    /// Name of the copy of the user's list of titles, without which drawing could not continue.
    static let titlesFile = "titles.txt"
    /// Results that may wait for a slower one before them: some dozen, so that one large picture holds up no thread.
    private static let window = 48

    package let folder: URL
    package let manifest: DatasetManifest
    package let options: SynthesisOptions
    private let press: SpineBatchRenderer
    private let books: [Book]

    package var isFinished: Bool { manifest.unfinished == nil }

    /// Begins a dataset: checks everything that can be checked before the first picture, and writes `dataset.json`.
    ///
    /// `folder`: New or empty. `manifest`: Name, version, licence and description; the rest is set here. `titles`:
    /// The user's list, and its name in messages; nil for the project's own books.
    ///
    /// - Returns: The dataset, with nothing drawn yet.
    /// - Throws: `SynthesisError.notEmpty` when there is something in `folder`, `.titles`, `.unwritable` or
    ///   `.noFonts`; `.options` when they are invalid; `DatasetError.operation` when the folder cannot be written to.
    package static func begin(
        in folder: URL,
        _ manifest: DatasetManifest,
        _ options: SynthesisOptions,
        titles: (text: String, file: String)? = nil,
        typefaces: [Typeface] = SpineDesigner.installedTypefaces()
    ) throws -> SyntheticDataset {
        var (manifest, options) = (manifest, options)
        if let problem = options.problem { throw SynthesisError.options(problem) }
        if let entries = try? FileManager.default.contentsOfDirectory(atPath: folder.path), !entries.isEmpty {
            throw SynthesisError.notEmpty(path: folder.path)
        }
        options.titlesDigest = titles.map { SHA256.hex(of: Array($0.text.utf8)) }
        manifest.synthesis = options
        manifest.unfinished = unfinished(folder)
        let dataset = try SyntheticDataset(folder, manifest, options, titles, typefaces)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try titles.map { try Data($0.text.utf8).write(to: folder.appending(path: titlesFile)) }
        } catch {
            throw DatasetError.operation(path: folder.path, problem: "cannot be made: \(error.systemReason)")
        }
        try DatasetSeal.write(manifest, to: folder.appending(path: "dataset.json"))
        return dataset
    }

    /// Resumes an unfinished dataset.
    ///
    /// - Throws: `DatasetError.operation` when no dataset was begun there, or its list of titles is another now.
    package static func resume(
        in folder: URL,
        typefaces: [Typeface] = SpineDesigner.installedTypefaces()
    ) throws -> SyntheticDataset {
        let file = folder.appending(path: "dataset.json")
        guard let data = FileManager.default.contents(atPath: file.path),
            let manifest = JSONLine.decode(DatasetManifest.self, from: data), let options = manifest.synthesis
        else {
            throw DatasetError.operation(
                path: folder.path,
                problem: "nothing to resume: dataset.json with the settings is missing"
            )
        }
        var titles: (text: String, file: String)?
        if let digest = options.titlesDigest {
            let file = folder.appending(path: titlesFile)
            guard let data = FileManager.default.contents(atPath: file.path), SHA256.hex(of: Array(data)) == digest
            else {
                throw DatasetError.operation(
                    path: file.path,
                    problem:
                        "is missing or was changed, so drawing cannot continue: restore it, or start again in another folder"
                )
            }
            titles = (String(decoding: data, as: UTF8.self), file.path)
        }
        return try SyntheticDataset(folder, manifest, options, titles, typefaces)
    }

    private init(
        _ folder: URL,
        _ manifest: DatasetManifest,
        _ options: SynthesisOptions,
        _ titles: (text: String, file: String)?,
        _ typefaces: [Typeface]
    ) throws {
        self.folder = folder
        self.manifest = manifest
        self.options = options
        press = try SpineBatchRenderer(typefaces: typefaces)
        books = try titles.map { try Book.list(from: $0.text, file: $0.file) } ?? Book.all
        // The program's own books can be written in the fonts of any set-up; a spine of theirs that cannot fails alone.
        let unwritable = titles == nil ? [] : press.unwritable(books)
        guard unwritable.isEmpty else { throw SynthesisError.unwritable(file: titles?.file ?? "", texts: unwritable) }
    }

    /// Draws the missing pictures, and completes the dataset.
    ///
    /// `isStopped`: Asked before each picture; once true, those that were begun are finished.
    /// `progress`: Called after each picture, and once before the first of each kind.
    ///
    /// - Returns: The dataset as it will be loaded; nil when it was stopped.
    /// - Throws: `DatasetError.operation` when the disk cannot be written or existing pictures would differ now, and
    ///   the errors of drawing. Drawn pictures are kept.
    package func draw(
        threads: Int,
        isStopped: @escaping @Sendable () -> Bool = { false },
        progress: (Progress) -> Void = { _ in }
    ) throws -> Dataset? {
        for series in series {
            guard try draw(series, threads, isStopped, progress) else { return nil }
        }
        return try seal()
    }

    /// Completes the dataset, all of whose labels and pictures are there.
    private func seal() throws(DatasetError) -> Dataset {
        try DatasetSeal.seal(folder, as: manifest) { dataset throws(DatasetError) in
            try Self.complete(&dataset, options, folder)
        }
    }

    /// Adds the data that follows from the labels: fonts, and the card.
    static func complete(_ dataset: inout Dataset, _ options: SynthesisOptions, _ folder: URL) throws(DatasetError) {
        let figures = CardFigures(dataset)
        dataset.manifest.fonts = figures.fonts.map(\.family)
        try DatasetCard(manifest: dataset.manifest, options: options, figures: figures).write(to: folder)
    }

    /// Series of the dataset; spines first, as most datasets consist of them.
    private var series: [PictureSeries] {
        let (press, options) = (press, options)
        let plans = SpinePlan.list(options.spines, of: books, options)
        let spines = PictureSeries(
            noun: "spine",
            file: Labels.samplesFile,
            images: "images",
            count: options.spines,
            shard: options.shard
        ) { index in
            let id = PictureSeries.id("spine", index)
            let (specification, spine) = try press.draw(plans[index], widths: options.widths)
            let sample = Sample(
                id: id,
                image: "images/\(id).jpg",
                plan: plans[index],
                specification: specification,
                spine: spine,
                seed: options.seed
            )
            let quality = specification.camera.jpegQuality
            return try PictureSeries.Item(
                label: JSONLine.encode(sample),
                picture: ImageCodec.encodeJPEG(spine.image, quality: quality)
            )
        }
        return (options.spines > 0 ? [spines] : []) + (options.shelves > 0 ? [shelves] : [])
    }

    private var shelves: PictureSeries {
        let designer = ShelfDesigner(press: press)
        let plans = ShelfPlan.list(options.shelves, of: books, options)
        return PictureSeries(
            noun: "shelf",
            file: Labels.shelvesFile,
            images: "shelves",
            count: options.shelves,
            shard: options.shard
        ) { index in
            let id = PictureSeries.id("shelf", index)
            let specification = try designer.designCase(plans[index])
            let shelf = try ShelfRenderer().render(specification)
            let label = Shelf(id: id, image: "shelves/\(id).jpg", specification: specification, shelf: shelf)
            return try PictureSeries.Item(
                label: JSONLine.encode(label),
                picture: ImageCodec.encodeJPEG(shelf.image, quality: specification.camera.jpegQuality)
            )
        }
    }

    /// Returns whether all of the series is there now.
    private func draw(
        _ series: PictureSeries,
        _ threads: Int,
        _ isStopped: @escaping @Sendable () -> Bool,
        _ progress: (Progress) -> Void
    ) throws -> Bool {
        let labels = try LabelFile(series, in: folder)
        try checkDrawsTheSame(series, labels)
        let missing = labels.withoutPicture + (labels.kept..<series.count)
        var done = series.count - missing.count
        progress(Progress(noun: series.noun, done: done, total: series.count))
        let work = OrderedWork(missing, window: Self.window, isStopped: isStopped) { [folder] index in
            let item = try series.draw(index)
            try LabelFile.write(item.picture, to: folder.appending(path: series.image(index)))
            return item.label
        }
        try work.run(threads: threads) { index, label in
            if index >= labels.kept { try labels.append(label) }
            done += 1
            progress(Progress(noun: series.noun, done: done, total: series.count))
        }
        return done == series.count
    }

    /// Draws the last existing picture again: with other fonts, libraries or another version of this program, the
    /// dataset would become a mixture that cannot be reproduced.
    private func checkDrawsTheSame(_ series: PictureSeries, _ labels: LabelFile) throws {
        guard let index = (0..<labels.kept).last(where: { !labels.withoutPicture.contains($0) }) else { return }
        let file = folder.appending(path: series.image(index))
        guard try Data(series.draw(index).picture) != FileManager.default.contents(atPath: file.path) else { return }
        throw DatasetError.operation(
            path: file.path,
            problem:
                "would differ now: fonts, libraries or the program have changed since the dataset was "
                + "begun, so start again in another folder"
        )
    }

    private static func unfinished(_ folder: URL) -> String {
        "the dataset is incomplete; complete it with 'spinebench dataset synth --resume --out \(folder.path)'"
    }
}
