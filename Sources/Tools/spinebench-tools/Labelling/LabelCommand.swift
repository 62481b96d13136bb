import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Foundation
import Harness
import LocalPages
import ScanningPipeline
import SpineDatasets
import SpineReaders
import Systems

struct LabelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "label",
        abstract: "Label your own photos on a local page, and make a dataset of them.",
        discussion: """
            Example:

              spinebench label photos

            You confirm or correct each proposed spine by the keys that the page lists. Ctrl-C, the page's button or --write write the dataset, of answered spines alone. Manual: \
            Docs/DATASETS.md#label-your-own-photos.
            """
    )

    @Argument(help: .value("path", "Photos, and folders of them: PNG, JPEG, HEIC."), completion: .file())
    var paths: [String]

    @Option(
        name: .customLong("out"),
        help: .value(
            "dir",
            "Folder of the dataset, new or continued. (default: the photos' folder with “-dataset”)"
        ),
        completion: .directory
    )
    var output: String?

    @Option(help: .value("name", "Your name in the labels. (default: your account's)"))
    var labeller: String?

    @Flag(help: "Show outlines, and no text that was read.")
    var blind = false

    @Option(help: .value("name[,setting=value…]", "Variant that proposes."))
    var variant = "accurate"

    @Option(help: .value("file", "Catalogue file; “embedded” for the built-in one."))
    var catalogue = BookCatalogue.embeddedName

    @Option(help: .value("k/n", "Label one part, numbered from 1."))
    var part: Part?

    @Option(help: "The dataset's name. (default: its folder's)")
    var name: String?

    @Option(help: "The licence of photos and labels.")
    var licence: String?

    @Option(help: .value("port", "Port of the page; 0 for a free port."))
    var port = 8768

    @Flag(help: "Write the dataset of earlier answers; serve no page.")
    var write = false

    @Flag(help: "Leave out labelled photos that the paths lack, instead of failing.")
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
        let store = try LabelStore(
            try LabelPhoto.all(pictures.paths),
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
        let named = try await store.checkUnread(write ? .pixels : .header)
        for line in named { Console.error(PlainLine.of(line)) }
        if !write { try await serve(store) }
        StandardOutput.write(try await written(store).typed + "\n")
        let failed = await store.overview().photos.compactMap(\.error)
        for line in failed where !named.contains(line) { Console.error(PlainLine.of(line)) }
        if let problem = await store.problem { throw problem }
        if !failed.isEmpty { throw ExitStatus.missed.exitCode }
    }

    private func pipeline() throws -> SpinePipeline {
        let settings = try ComposedVariant(variant).reading
        if settings.engine == .openVINO, let notice = Installation.firstRunNotice { Console.standardError(notice) }
        return try settings.load().pipeline(.named(catalogue))
    }

    private func serve(_ store: LabelStore) async throws {
        let reading = Task { await store.readAll() }
        defer { reading.cancel() }
        try await LabelServer(
            store: store,
            write: { try await written(store).typed },
            port: port
        ).run()
    }

    @Sendable private func written(_ store: LabelStore) async throws -> String {
        guard let dataset = try await store.write(name: name, licence: licence) else {
            return "No spine is labelled yet; the same command continues."
        }
        let gate = ComparisonTolerances.standard.needs(photos: dataset.samples.filter(\.legible).map(\.group))
        let lines =
            ["\(DatasetText.summary(dataset)), in \(dataset.path)"] + (dataset.samples.isEmpty ? [] : ["\(gate)"])
        return (lines + ["Next: spinebench run --dataset \(dataset.path)"]).joined(separator: "\n")
    }
}
