import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Composition
import Foundation
import Harness
import ScanningPipeline
import SpineDatasets
import SpineReaders

struct LabelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "label",
        abstract: "Label your own photos on a local page, and make a dataset of them.",
        discussion: """
            For example:

              spinebench label photos
              spinebench run --dataset photos-dataset --variants fast

            The reader proposes the spines of each photo, shelf or single spine, with outline, title, author, text, \
            orientation and category. You confirm or correct each one by keyboard:

              Enter       confirm what is shown, and take the next spine; with Shift as stylized
              1 … 9       take that line, or candidate, for the title; 2 then 4: lines 2 to 4; 0: none; with Shift: for the author
              w           the title's first word belongs to the author; with Shift the last one
              e, a, t     type the title, the author, the text; Enter confirms, Escape leaves the field
              o, c        next orientation, next category
              x           the title is not legible
              d           delete the outline: it is not a spine
              n, s        draw a new outline by its diagonal, split the outline by a click between two spines; with a mouse, \
            drag or Shift-click without the key
              u           undo the last answer
              ← →         previous and next spine; z shows the whole photo

            The corners of an outline can be dragged. Every answer is on the disk before the page shows the next spine: \
            after a crash the same command continues. The dataset is written by Ctrl-C, by the page's button, or by --write. \
            It contains only answers: a proposal without one is never in it. A photo counts as a shelf when you answered \
            every spine and confirmed that none is missing.

            Proposals bias labels: people accept errors that look plausible. With --blind you see outlines and no text. The page \
            and CARD.md report how many titles equal the proposed one, with and without the proposal in view.

            Two people: one takes --part 1/2, the other --part 2/2, each with an --out of their own, then \
            'spinebench dataset merge'. Both label the same photos to measure 'spinebench dataset agreement'.

            Exit codes: 0 the dataset was written, or nothing is labelled yet, 1 it was written, and some photos cannot be read, 2 \
            invalid usage, photos or labels, 4 the port is in use, the disk is full, another process labels this dataset, or \
            the engine or the catalogue is missing.
            """
    )

    @Argument(help: .value("path", "Folder of photos, or photos: PNG, JPEG, HEIC."), completion: .file())
    var paths: [String]

    @Option(
        name: .customLong("out"),
        help: .value(
            "dir",
            "The dataset's folder, new or of earlier labels. (default: the folder of the photos with “-dataset”)"
        ),
        completion: .directory
    )
    var output: String?

    @Option(help: .value("name", "Name in the labels. (default: that of your account)"))
    var labeller: String?

    @Flag(help: "Show outlines, and nothing that was read.")
    var blind = false

    @Option(help: .value("name[,setting=value…]", "Variant that proposes."))
    var variant = "accurate"

    @Option(help: .value("file", "Catalogue file; “embedded” for the built-in one."))
    var catalogue = ScanSettings.embedded

    @Option(help: .value("k/n", "Label one part of the photos, numbered from 1."))
    var part: Part?

    @Option(help: "The dataset's name. (default: that of its folder)")
    var name: String?

    @Option(help: "The licence of photos and labels.")
    var licence: String?

    @Option(help: .value("port", "Port of the page; 0 for a free port."))
    var port = 8768

    @Flag(help: "Write the dataset of the earlier answers, and serve no page.")
    var write = false

    @Flag(help: "Write the dataset without labelled photos that are missing among the paths.")
    var omitMissing = false

    func validate() throws {
        if !(0...65_535).contains(port) { throw ValidationError("Invalid --port \(port): expected 0 to 65535.") }
        if paths.count > 1, output == nil { throw ValidationError("Specify --out DIR: there are several paths.") }
        if let path = paths.first(where: FileIdentity.isSpecial) {
            throw ValidationError("\(path) is not a file; specify photos, or folders of photos.")
        }
        if let labeller, labeller.allSatisfy(\.isWhitespace) || PlainLine.of(labeller) != labeller {
            throw ValidationError("Invalid --labeller '\(labeller)': expected a name on one line.")
        }
        do { _ = try ComposedVariant(variant).reading } catch { throw ValidationError("\(error)") }
    }

    /// The dataset's; by default beside the photos, also beside ".".
    var folder: URL {
        URL(filePath: output ?? URL(filePath: paths[0]).standardizedFileURL.path + "-dataset").standardizedFileURL
    }

    func run() async throws {
        var pictures = try PictureFiles(paths)
        if let part { pictures.keep(part) }
        for line in pictures.skipped { Console.standardError(line) }
        if pictures.paths.isEmpty { throw HarnessError.configuration("this part has no photos; label another one") }
        let photos: [LabelPhoto]
        do { photos = try LabelPhoto.all(pictures.paths) } catch { throw HarnessError.configuration("\(error)") }
        let store = try LabelStore(
            photos,
            in: folder,
            proposer: SpineProposer(try pipeline(), reader: variant),
            labeller: labeller ?? NSUserName(),
            isBlind: blind
        )
        if !store.missing.isEmpty, !omitMissing {
            let names =
                PlainLine.of(store.missing.prefix(8).joined(separator: ", ")) + (store.missing.count > 8 ? ", …" : "")
            let count = NumberText.count(store.missing.count, "labelled photo")
            throw HarnessError.configuration(
                "\(folder.path): missing here: \(count): \(names). Specify all of its photos, another --out, or "
                    + "--omit-missing for a dataset without them"
            )
        }
        if write { try await store.checkUnread() } else { try await serve(store) }
        StandardOutput.write(try await written(store) + "\n")
        let failed = await store.overview().photos.compactMap(\.error)
        for line in failed { Console.error(PlainLine.of(line)) }
        if let problem = await store.problem { throw problem }
        if !failed.isEmpty { throw ExitStatus.missed.exitCode }
    }

    private func pipeline() throws -> SpinePipeline {
        let settings = try ComposedVariant(variant).reading
        if settings.engine == .openVINO, let notice = Installation.firstRunNotice { Console.standardError(notice) }
        return try settings.load().pipeline(.named(catalogue))
    }

    private func serve(_ store: LabelStore) async throws {
        let reading = Task { try await store.readAll() }
        defer { reading.cancel() }
        try await LabelServer(
            store: store,
            write: { try await written(store) },
            port: port,
            token: PageToken.random()
        ).run()
    }

    @Sendable private func written(_ store: LabelStore) async throws -> String {
        guard let dataset = try await store.write(name: name, licence: licence) else {
            return "No spine is labelled yet; the same command continues."
        }
        let gate = ComparisonTolerances.standard.needs(photos: dataset.samples.filter(\.legible).map(\.group))
        return "\(dataset.path): \(DatasetText.summary(dataset))" + (dataset.samples.isEmpty ? "" : "\n\(gate)")
    }
}
