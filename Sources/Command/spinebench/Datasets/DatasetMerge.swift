import ArgumentParser
import Documents
import Foundation
import SpineDatasets

/// `spinebench dataset merge`: puts several datasets into one.
struct DatasetMerge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Puts several datasets into one.",
        discussion: """
            Where two datasets have the same id, group or picture's name, the later one's gets its dataset's name in front. \
            Samples that state no licence or source get their dataset's. Fields that are not known are kept, pictures are \
            hard links where the file system has them. Pictures that show the same are told, and kept.

              spinebench dataset merge photos-1 photos-2 --out photos --name photos
            """
    )

    @Argument(help: "The datasets' folders, two at least.", completion: .directory)
    var paths: [String]

    @Option(name: .customLong("out"), help: "The folder to write: new, or empty.", completion: .directory)
    var output: String

    @Option(help: "The name of the whole. (default: that of its folder)")
    var name: String?

    @Flag(name: .customLong("no-rename"), help: "Refuse names that collide instead.")
    var noRename = false

    func validate() throws {
        if paths.count < 2 {
            throw ValidationError("Name two datasets at least: spinebench dataset merge DIR DIR --out DIR")
        }
    }

    func run() throws {
        var merging = DatasetMerging(mayRename: !noRename)
        let folder = URL(filePath: output)
        let dataset = try merging.merge(paths, into: folder, name: name ?? folder.lastPathComponent)
        for (path, renamings) in Dictionary(grouping: merging.renamings, by: \.path).sorted(by: { $0.key < $1.key }) {
            let example = renamings[0]
            Console.standardError(
                "\(path): \(NumberText.count(renamings.count, "name")) taken, so changed: \(example.field) "
                    + "\"\(example.from)\" to \"\(example.to)\"" + (renamings.count > 1 ? ", …" : "")
            )
        }
        DatasetText.tell(dataset.warnings)
        print(DatasetText.summary(dataset))
        print(dataset.digest)
        Console.standardError("Divide it into splits: spinebench dataset split \(output) --out DIR")
    }
}
