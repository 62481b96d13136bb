import Basics
package import Foundation
import Imaging
package import SpineDatasets

/// A folder of labelled synthetic spines and shelves, drawn picture by picture: drawing can be stopped and resumed.
package struct SyntheticDataset: Sendable {
    package struct Progress: Sendable, Equatable {
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

    /// Begins a dataset in a new folder: checks all that can be checked before the first picture, and writes
    /// `dataset.json`.
    ///
    /// `manifest`: Name, version, licence and description; the rest is set here. `titles`: The user's list, and its
    /// name in messages; nil for the project's own books.
    package static func begin(
        in folder: URL,
        _ manifest: DatasetManifest,
        _ options: SynthesisOptions,
        titles: (text: String, file: String)? = nil,
        typefaces: [Typeface] = Typeface.installed()
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

    package static func resume(
        in folder: URL,
        typefaces: [Typeface] = Typeface.installed()
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
        (self.folder, self.manifest, self.options) = (folder, manifest, options)
        press = try SpineBatchRenderer(typefaces: typefaces)
        books = try titles.map { try Book.list(from: $0.text, file: $0.file) } ?? Book.all
        // The program's own books can be written in the fonts of any set-up; a spine of theirs that cannot fails alone.
        let unwritable = titles == nil ? [] : press.unwritable(books)
        guard unwritable.isEmpty else { throw SynthesisError.unwritable(file: titles?.file ?? "", texts: unwritable) }
    }

    /// Draws the missing pictures, and completes the dataset; nil when it was stopped.
    ///
    /// `isStopped`: Asked before each picture; once true, those that were begun are finished. `progress`: Called after
    /// each picture, and once before the first of each kind.
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

    private func seal() throws(DatasetError) -> Dataset {
        try DatasetSeal.seal(folder, as: manifest) { dataset throws(DatasetError) in
            try Self.complete(&dataset, options, folder)
        }
    }

    static func complete(_ dataset: inout Dataset, _ options: SynthesisOptions, _ folder: URL) throws(DatasetError) {
        let figures = CardFigures(dataset)
        dataset.manifest.fonts = figures.fonts.map(\.family)
        try DatasetCard(manifest: dataset.manifest, options: options, figures: figures).write(to: folder)
    }

    /// Series of the dataset; spines first, as most datasets consist of them.
    private var series: [PictureSeries] {
        let (press, options) = (press, options)
        let plans = SpinePlan.list(options.spines, of: books, options)
        let spines = PictureSeries(.spines, count: options.spines, shard: options.shard) { number in
            let (specification, spine) = try press.draw(plans[number], widths: options.widths)
            let sample = Sample(
                id: Subject.spines.id(number),
                image: Subject.spines.image(number),
                plan: plans[number],
                specification: specification,
                spine: spine,
                seed: options.seed
            )
            return try PictureSeries.Item(sample, spine.image, quality: specification.camera.jpegQuality)
        }
        let designer = ShelfDesigner(press: press)
        let shelfPlans = ShelfPlan.list(options.shelves, of: books, options)
        let shelves = PictureSeries(.shelves, count: options.shelves, shard: options.shard) { number in
            let specification = try designer.designCase(shelfPlans[number])
            let shelf = try ShelfRenderer().render(specification)
            let (id, image) = (Subject.shelves.id(number), Subject.shelves.image(number))
            let label = Shelf(id: id, image: image, specification: specification, shelf: shelf)
            return try PictureSeries.Item(label, shelf.image, quality: specification.camera.jpegQuality)
        }
        return [spines, shelves].filter { options.count(of: $0.subject) > 0 }
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
        progress(Progress(noun: series.subject.noun, done: done, total: series.count))
        let work = OrderedWork(missing, window: Self.window, isStopped: isStopped) { [folder] index in
            let item = try series.draw(index)
            try LabelFile.write(item.picture, to: folder.appending(path: series.image(index)))
            return item.label
        }
        try work.run(threads: threads) { index, label in
            if index >= labels.kept { try labels.append(label) }
            done += 1
            progress(Progress(noun: series.subject.noun, done: done, total: series.count))
        }
        return done == series.count
    }

    /// Draws the last existing picture again: with other fonts, libraries or another version, the dataset would be a
    /// mixture.
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
