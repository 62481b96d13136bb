import ArgumentParser
import CommandParts
import Documents
import Foundation
import SpineDatasets

struct DatasetSplit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split",
        abstract: "Divides a dataset into train, dev and test, whole photos together.",
        discussion: """
            Writes a copy in which every sample has a split; the original stays what earlier results were measured on. All \
            samples of a group (the photo that they were cut from) go into one split, and so do pictures that show the same; every category in the asked shares \
            as far as the groups allow. The same seed gives the same splits, and a sample that is added later leaves \
            nearly all others where they are. Fields that are not known are kept, pictures are hard links where the file \
            system has them.

              spinebench dataset split my-photos --out my-photos-split --shares train=0.7,dev=0.1,test=0.2
            """
    )

    @Argument(help: "The dataset's folder.", completion: .directory)
    var path: String

    @Option(name: .customLong("out"), help: "The folder to write: new, or empty.", completion: .directory)
    var output: String

    @Option(help: "The splits and their shares, which make 1.")
    var shares = ShareList([("train", 0.7), ("dev", 0.1), ("test", 0.2)])

    @Option(help: "Decides what is left to chance.")
    var seed: UInt64 = 1

    func run() throws {
        let folder = URL(filePath: output)
        let dataset = try DatasetSplitting.split(path, into: folder, shares: shares.shares, seed: seed)
        print(Self.table(dataset.samples, shares.shares), terminator: "")
        Console.standardError("\(DatasetText.summary(dataset)), in \(output)")
        Console.standardError("See what is in each part: spinebench dataset stats \(output)")
    }

    /// Samples by split and category, and how far the shares are from those asked for.
    private static func table(_ samples: [Sample], _ shares: [SplitPlan.Share]) -> String {
        let categories = SampleCategory.allCases.filter { category in samples.contains { $0.category == category } }
        func cell(_ count: Int, of whole: Int, _ share: Double) -> String {
            let off = whole == 0 ? 0 : (Double(count) / Double(whole) - share) * 100
            return "\(count) (\(off < 0 ? "−" : "+")\(NumberText.fixed(abs(off), 1)))"
        }
        let rows = shares.map { share -> [String] in
            let mine = samples.filter { $0.split == share.name }
            let groups = Set(mine.map { $0.group.map { "g" + $0 } ?? "s" + $0.id }).count
            return [
                share.name, NumberText.percent(share.share), "\(groups)",
                cell(mine.count, of: samples.count, share.share),
            ]
                + categories.map { category in
                    func count(_ samples: [Sample]) -> Int { samples.count { $0.category == category } }
                    return cell(count(mine), of: count(samples), share.share)
                }
        }
        let columns =
            ["split", "share", "groups"] + (["spines"] + categories.map(\.rawValue)).map { "\($0) (points off)" }
        return Table(columns: columns, rows: rows).markdown + "\n"
    }
}

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
