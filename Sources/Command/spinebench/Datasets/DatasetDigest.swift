import ArgumentParser
import Foundation
import SpineDatasets

/// `spinebench dataset digest`: what a dataset's contents are known by.
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
            let dataset = try DatasetSeal.seal(URL(filePath: path), as: manifest)
            print(dataset.digest)
            Console.standardError(
                "Written into \(path)/dataset.json. State a new version there when the contents changed."
            )
            return
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
