import ArgumentParser
import Basics
import Composition
import Foundation
import SpineDatasets

struct DatasetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dataset",
        abstract: "Check datasets.",
        discussion:
            "'make tools' builds stats, view, split, merge, index, fix, import, export and synth, 'make apps' agreement and 'spinebench label'.",
        subcommands: [DatasetValidate.self, DatasetDigest.self]
    )
}

struct DatasetValidate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check a dataset and list all faults.",
        discussion: """
            Reads every label, then decodes every picture, and lists all faults with file and line. Warnings are \
            informational and do not change the exit code.

            A dataset is a folder with samples.jsonl, one JSON object per line, and its pictures (PNG or JPEG):

              {"id": "p1", "image": "images/p1.jpg", "category": "vertical", "title": "The Hobbit",
               "author": "J.R.R. Tolkien", "transcription": "J.R.R. TOLKIEN THE HOBBIT", "orientation": "cw"}

            category     \(SampleCategory.allCases.map(\.rawValue).joined(separator: ", "))
            orientation  \(SampleOrientation.allCases.map(\.rawValue).joined(separator: ", "))
            optional     author, isbn, acceptedTitles, group, split, legible, language, style, difficulty, source, \
                          licence
            in pixels    outline (of the spine in its picture, four points [x, y]), lines (each text, or an object with \
            text, role, quad, font, size), quad (position of the picture in the photo that it was cut from)
            role         \(LineRole.allCases.map(\.rawValue).joined(separator: ", "))

            Pictures of whole shelves are listed in shelves.jsonl, with or without samples.jsonl:

              {"id": "s1", "image": "shelves/s1.jpg", "books": [{"title": "The Hobbit", "quad": [[9, 4], [61, 4], …]}]}

            The pictures may be in tar archives instead: see scripts/pack.py.

            Other fields are ignored. dataset.json (name, version, licence, description, contentDigest) is optional.

            With --part, every label is read and one part of the pictures decoded; samples of one photo stay together. \
            --digests writes their SHA-256, which 'dataset digest --from' combines:

              spinebench dataset validate photos --part 1/2 --digests 1.sha256
              spinebench dataset validate photos --part 2/2 --digests 2.sha256
              spinebench dataset digest photos --from 1.sha256 --from 2.sha256

            Exit codes: 0 no fault, 2 a fault.
            """
    )

    @Argument(help: "Dataset folders.", completion: .directory)
    var paths: [String]

    @Option(
        help: .value("k/n", "Check one part of the pictures, numbered from 1.")
    )
    var part: Part?

    @Option(help: .value("file", "Write the SHA-256 of the pictures to this file, in the format of sha256sum."))
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
            The digest is the SHA-256 of the labels and all pictures. With --write it is stored in \
            dataset.json, which is created if it is missing; from then on a run rejects the dataset when a file was changed. \
            Every report names the digest.

            With --from it is computed from the files of 'dataset validate --part k/n --digests FILE' of all parts, and no \
            picture is opened.
            """
    )

    @Argument(help: "Dataset folder.", completion: .directory)
    var path: String

    @Flag(help: "Store it in dataset.json.")
    var write = false

    @Option(
        name: .customLong("from"),
        help: .value("file", "Digests of a part's pictures (one per part).")
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
