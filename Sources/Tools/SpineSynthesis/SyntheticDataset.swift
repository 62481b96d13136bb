import Basics
package import Foundation
import Imaging
package import SpineDatasets
import Synchronization

/// Drawing of labelled synthetic spines and shelves into a folder.
package enum SyntheticDataset {
    /// Name of the copy of the user's list of titles.
    static let titlesFile = "titles.txt"

    /// Draws a dataset into a new folder: checks all that can be checked before the first picture.
    ///
    /// Until it is complete, other commands reject the folder. `manifest`: Name, version, licence and description.
    /// `titles`: The user's list, and its name in messages; nil for the project's own books. `progress`: Called by each
    /// thread after each picture with the number of those that are done, and of all.
    package static func draw(
        into folder: URL,
        _ manifest: DatasetManifest,
        _ options: SynthesisOptions,
        titles: (text: String, file: String)? = nil,
        typefaces: [Typeface] = Typeface.installed(),
        threads: Int,
        progress: @Sendable (_ noun: String, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
    ) throws -> Dataset {
        if let problem = options.problem ?? SystemLibrary.pango.problem { throw SynthesisError.input(problem) }
        let designer = try SpineDesigner(typefaces: typefaces)
        let books = try titles.map { try Book.list(from: $0.text, file: $0.file) } ?? Book.all
        if let titles { try checkLetters(of: books, designer, file: titles.file) }
        var (manifest, options) = (manifest, options)
        options.titlesDigest = titles.map { SHA256.hex(of: Array($0.text.utf8)) }
        manifest.synthesis = options
        var output = try DatasetOutput(folder, as: manifest)
        if let titles { try output.write(Array(titles.text.utf8), to: titlesFile) }
        let (spines, shelves) = (
            SpinePlan.list(options.spines, of: books, options), ShelfPlan.list(options.shelves, of: books, options)
        )
        let widths = options.widths
        try add(.spines, spines.count, to: &output, threads, progress) { number, id, image in
            let plan = spines[number]
            let design = designer.design(plan)
            var generator = SplitMix64(state: ~plan.seed)
            var camera = Camera(&generator)
            camera.scale = SpinePicture.width(in: widths, &generator) / design.cover.width
            let picture = try SpinePicture(design, camera)
            let book = ShelfBook(id: id, plan, design, camera, lines: picture.lines, quad: picture.outline)
            return (try JSONLine.encode(Sample(id: id, image: image, book)), picture.image, camera)
        }
        try add(.shelves, shelves.count, to: &output, threads, progress) { number, id, image in
            let design = ShelfDesign(shelves[number], designer)
            let photo = try design.photograph()
            let books = zip(design.books, photo.books).enumerated().map { index, pair in
                let (book, drawn) = pair
                let own = "\(id)-\(index < 9 ? "0" : "")\(index + 1)"
                return ShelfBook(
                    id: own,
                    book.plan,
                    book.spine.design,
                    design.camera,
                    lines: drawn.lines,
                    quad: drawn.quad
                )
            }
            return (try JSONLine.encode(Shelf(id: id, image: image, books: books)), photo.image, design.camera)
        }
        let sealed = options
        return try output.finish { dataset throws(DatasetError) in
            let card = DatasetCard(dataset, sealed)
            dataset.manifest.fonts = card.fonts.map(\.family)
            let file = folder.appending(path: "CARD.md")
            try DatasetError.writing(file.path) { try Data(card.text.utf8).write(to: file) }
        }
    }

    /// Checks that a font has each letter of a user's list; the program's own books suit the fonts of any set-up.
    private static func checkLetters(
        of books: [Book],
        _ designer: SpineDesigner,
        file: String
    ) throws(SynthesisError) {
        let texts = designer.unwritable(books)
        guard !texts.isEmpty else { return }
        let named = texts.prefix(5).map { "“\($0)”" }.joined(separator: ", ")
        let more = texts.count > 5 ? " and \(texts.count - 5) more" : ""
        throw .input("\(file): no installed font can write \(named)\(more): remove them from the list")
    }

    /// Draws `count` pictures and adds their labels in the pictures' order, whatever the number of threads.
    private static func add(
        _ subject: Subject,
        _ count: Int,
        to output: inout DatasetOutput,
        _ threads: Int,
        _ progress: @Sendable (String, Int, Int) -> Void,
        draw: @Sendable (_ number: Int, _ id: String, _ image: String) throws -> (Data, RasterImage, Camera)
    ) throws {
        let folder = output
        let done = Mutex(0)
        let noun = subject == .spines ? "spine" : "shelf"
        let lanes = try concurrentMap(min(threads, count)) { lane in
            try stride(from: lane, to: count, by: threads).map { number in
                // Independent of the count: a larger dataset begins with the same ones.
                let id = noun + "-" + String(format: "%05d", number + 1)
                let path = "\(subject == .spines ? "images" : "shelves")/\(id).jpg"
                let (label, image, camera) = try draw(number, id, path)
                try folder.write(ImageCodec.encodeJPEG(image, quality: camera.jpegQuality), to: path)
                progress(
                    noun,
                    done.withLock {
                        $0 += 1
                        return $0
                    },
                    count
                )
                return (number, label)
            }
        }
        for (_, label) in lanes.joined().sorted(by: { $0.0 < $1.0 }) {
            output.add(JSONObjectText(label.dropLast()), to: subject.labels)
        }
    }
}
