import ArgumentParser
import CommandParts
import DatasetExchange
import Documents
import Foundation
import SpineDatasets

struct DatasetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dataset",
        abstract: "Checks, shows, converts and draws datasets.",
        subcommands: [
            DatasetValidate.self, DatasetStats.self, DatasetView.self, DatasetSplit.self, DatasetMerge.self,
            DatasetIndex.self, DatasetDigest.self, DatasetImport.self, DatasetExport.self, DatasetRealism.self,
            DatasetSynth.self,
        ]
    )
}

struct DatasetValidate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Finds everything that is wrong with a dataset.",
        discussion: """
            Reads every label, then decodes every picture, and lists all faults with file and line. Warnings are about \
            what a dataset may have and an evaluation should know; they do not change the exit code.

            A dataset is a folder with samples.jsonl, one JSON object a line, and the pictures (PNG or JPEG) it names:

              {"id": "p1", "image": "images/p1.jpg", "category": "vertical", "title": "The Hobbit",
               "author": "J.R.R. Tolkien", "transcription": "J.R.R. TOLKIEN THE HOBBIT", "orientation": "cw"}

            category     \(SampleCategory.allCases.map(\.rawValue).joined(separator: ", "))
            orientation  \(SampleOrientation.allCases.map(\.rawValue).joined(separator: ", "))
            optional     author, isbn, acceptedTitles, group, split, legible, language, style, difficulty, source, \
                          licence
            in pixels    outline (of the spine in its picture, four points [x, y]), lines (each text, or an object with \
            text, role, quad, font, size), quad (where the picture lay in the photo that it was cut from)
            role         \(LineRole.allCases.map(\.rawValue).joined(separator: ", "))

            Pictures of whole shelves stand in shelves.jsonl, beside it or alone:

              {"id": "s1", "image": "shelves/s1.jpg", "books": [{"title": "The Hobbit", "quad": [[9, 4], [61, 4], …]}]}

            The pictures may be in tar archives instead: see 'dataset split --tar' and 'dataset index'. All of it may be in a \
            store that speaks S3: s3://BUCKET/PREFIX.

            Other fields are ignored. dataset.json (name, version, licence, description, contentDigest) is optional.

            Exit codes: 0 no fault, 2 a fault.
            """
    )

    @Argument(help: "The datasets' folders.", completion: .directory)
    var paths: [String]

    func run() throws {
        var failure: DatasetError?
        for path in paths {
            do throws(DatasetError) {
                let dataset = try DatasetLoader().load(path)
                DatasetText.tell(dataset.warnings)
                print(DatasetText.summary(dataset))
                print(dataset.digest)
                if dataset.manifest.contentDigest == nil {
                    Console.standardError(
                        "Nothing would tell that \(path) was changed: spinebench dataset digest \(path) --write"
                    )
                }
            } catch {
                if let failure { Console.error("\(failure)") }
                failure = error
            }
        }
        if let failure { throw failure }
    }
}

struct DatasetDigest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "digest",
        abstract: "Prints the digest of a dataset's contents, and writes it into dataset.json.",
        discussion: """
            The digest is SHA-256 over the labels and every picture that they name. With --write it is put into \
            dataset.json, which is made when there is none; from then on a run refuses the dataset when a file was changed. \
            croissant.json, a description for other tools, is written as well. Every report names the digest.
            """
    )

    @Argument(help: "The dataset's folder.", completion: .directory)
    var path: String

    @Flag(help: "Put it into dataset.json.")
    var write = false

    func run() throws {
        let manifest = try DatasetManifest.read(from: path)
        if write {
            guard !ObjectFolder.isAddress(path) else {
                throw ValidationError(
                    "--write writes into a folder: write there, then copy dataset.json into the store."
                )
            }
            let dataset = try DatasetSeal.seal(URL(filePath: path), as: manifest)
            print(dataset.digest)
            return Console.standardError(
                "Written into \(path)/dataset.json. State a new version there when the contents changed."
            )
        }
        let digest = try DatasetLoader(ignoresManifest: true).load(path).digest
        print(digest)
        if let stated = manifest.contentDigest, stated != digest {
            Console.standardError(
                "dataset.json states \(stated): the files were changed. --write puts the new one there."
            )
        } else if manifest.contentDigest == nil {
            Console.standardError("Put it into dataset.json, so that changes are noticed: add --write")
        }
    }
}

struct DatasetExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes a dataset as COCO or PaddleOCR labels.",
        discussion: """
            coco writes annotations.json: spines and lines as annotations with polygon, box and text. paddleocr writes \
            Label.txt. What these have no place for stands under “spinebench”, or in spinebench.jsonl: \
            'spinebench dataset import' gives the same dataset again.
            """
    )

    @Argument(help: "The dataset's folder.", completion: .directory)
    var path: String

    @Option(help: "coco or paddleocr.")
    var format: ExportFormat

    @Option(name: .customLong("out"), help: "The folder to write: new, or empty.", completion: .directory)
    var output: String

    func run() throws {
        let dataset = try DatasetLoader().load(path)
        let labels = try DatasetExporter.run(dataset, as: format, to: URL(filePath: output))
        print("\(labels): \(DatasetText.summary(dataset))")
    }
}

/// A dataset in words.
enum DatasetText {
    /// "spines 1.0: 60 spines (20 vertical, …), 58 legible; 2 shelves with 31 spines".
    static func summary(_ dataset: Dataset) -> String {
        let categories = SampleCategory.allCases.compactMap { category -> String? in
            let count = dataset.samples.count { $0.category == category }
            return count == 0 ? nil : "\(count) \(category.rawValue)"
        }
        let version = dataset.manifest.version.map { " \($0)" } ?? ""
        var parts: [String] = []
        if !dataset.samples.isEmpty || dataset.shelves.isEmpty {
            parts.append(
                "\(NumberText.count(dataset.samples.count, "spine")) (\(categories.joined(separator: ", "))), "
                    + "\(dataset.samples.count(where: \.legible)) legible"
            )
        }
        if !dataset.shelves.isEmpty {
            let books = dataset.shelves.reduce(0) { $0 + $1.books.count }
            parts.append(
                "\(NumberText.count(dataset.shelves.count, "shelf", plural: "shelves")) with "
                    + NumberText.count(books, "spine")
            )
        }
        return "\(dataset.manifest.name)\(version): \(parts.joined(separator: "; "))"
    }

    /// Writes a dataset's warnings to standard error, the first ones each.
    static func tell(_ warnings: [DatasetFault]) {
        let listed = 200
        for warning in warnings.prefix(listed) { Console.standardError("warning: \(warning)") }
        if warnings.count > listed { Console.standardError("warning: … and \(warnings.count - listed) more") }
    }
}
