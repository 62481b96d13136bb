import ArgumentParser
import Basics
import CommandSupport
import Foundation
import SpineDatasets
import Systems

struct DatasetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dataset",
        abstract: "Check datasets.",
        discussion:
            "'make tools' builds stats, view, split, merge, fix, import, fetch and synth, 'make apps' agreement and 'spinebench label'.",
        subcommands: [DatasetValidate.self, DatasetDigest.self]
    )
}

struct DatasetValidate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check a dataset and list all faults.",
        discussion: """
            Examples:

              spinebench dataset validate photos
              spinebench dataset validate photos --part 1/2 --digests 1.sha256

            Lists all faults with file and line; warnings do not change the exit code. Format: \
            Docs/DATASETS.md#the-format, parts: Docs/DATASETS.md#check-split-and-draw.
            """
    )

    @Argument(help: "Dataset folders.", completion: .directory)
    var paths: [String]

    @Option(
        help: .value("k/n", "Check one part of the pictures, numbered from 1.")
    )
    var part: Part?

    @Option(help: .value("file", "Output of the pictures' SHA-256, for 'dataset digest --from'."))
    var digests: String?

    func validate() throws {
        if digests != nil, paths.count != 1 { throw ValidationError("--digests requires exactly one dataset.") }
    }

    func run() throws {
        let listing = try digests.map { try OutputFile($0, option: "--digests", over: []) }
        var failure: DatasetError?
        for path in paths {
            do {
                let (dataset, found) = try DatasetLoader(lookingAt: part.map { .checked($0) } ?? .all).survey(path)
                try listing?.write(Array(found.text.utf8))
                DatasetText.tell(dataset.warnings)
                print(DatasetText.summary(dataset))
                if let part {
                    let count = NumberText.count(found.byPath.count, "picture")
                    print("part \(part): no faults in its \(count)")
                    continue
                }
                print(dataset.digest)
                if dataset.manifest.contentDigest == nil {
                    Console.standardError(
                        "Changes to \(path) cannot be detected. To record its digest: spinebench dataset digest \(path) --write"
                    )
                } else if dataset.manifest.canary == nil {
                    Console.standardError(
                        "\(path)/dataset.json has no \"canary\". To write one: spinebench dataset digest \(path) --write"
                    )
                }
                if dataset.manifest.licence == nil, dataset.samples.contains(where: { $0.licence == nil }) {
                    Console.standardError("\(path)/dataset.json has no \"licence\": state it, or \"none stated\".")
                }
            } catch let error as DatasetError {
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
        abstract: "Print the digest of a dataset's contents, or write it into dataset.json.",
        discussion: """
            The SHA-256 of the labels and all pictures. A dataset with another one than its dataset.json is \
            rejected.
            """
    )

    @Argument(help: "Dataset folder.", completion: .directory)
    var path: String

    @Flag(help: "Write it into dataset.json.")
    var write = false

    @Option(
        name: .customLong("from"),
        help: .value("file", "File of 'dataset validate --digests', one per part; no picture is opened.")
    )
    var listings: [String] = []

    func validate() throws {
        if write, !listings.isEmpty {
            throw ValidationError("--write computes the digests itself: remove --from.")
        }
    }

    func run() throws {
        let manifest = try DatasetManifest.read(from: path)
        if write {
            let dataset = try DatasetSeal.seal(URL(filePath: path), as: manifest)
            print(dataset.digest)
            return Console.standardError(
                "Written into \(path)/dataset.json. If the contents changed, set a new version there."
            )
        }
        let digest =
            listings.isEmpty ? try DatasetLoader(ignoresManifest: true).load(path).digest : try digestOfListings()
        print(digest)
        if let stated = manifest.contentDigest, stated != digest {
            Console.standardError(
                "dataset.json contains \(stated): the files were changed. --write stores the new digest."
            )
        } else if manifest.contentDigest == nil {
            Console.standardError("To store it in dataset.json and detect changes: add --write")
        }
    }

    private func digestOfListings() throws -> String {
        var digests = PictureDigests()
        for listing in listings { try digests.add(listing: listing) }
        try digests.check(path)
        return try digests.contentDigest(withLabelsOf: path)
    }
}
