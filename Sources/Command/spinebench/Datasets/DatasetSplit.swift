import ArgumentParser
import Basics
import Composition
import Foundation
import SpineDatasets

struct DatasetSplit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split",
        abstract: "Divides a dataset into train, dev and test, or into tar shards, whole photos together.",
        discussion: """
            Writes a copy in which every sample has a split; the original stays what earlier results were measured on. All \
            samples of a group (the photo that they were cut from) go into one split, and so do pictures that show the same; every category in the asked shares \
            as far as the groups allow. The same seed gives the same splits, and a sample that is added later leaves \
            nearly all others where they are. Fields that are not known are kept, pictures are hard links where the file \
            system has them.

              spinebench dataset split my-photos --out my-photos-split --shares train=0.7,dev=0.1,test=0.2

            With --tar it writes shards: NAME-000000.tar and so on, in which KEY.jpg and KEY.json belong together as \
            WebDataset has it, shards.json with the place of every picture, and the labels as they are. All commands read \
            the pictures there without unpacking, and the digest stays the same. The same dataset gives the same bytes.

              spinebench dataset split my-photos --out my-shards --tar 1000     # pictures a shard at most
              spinebench dataset split my-photos --out my-shards --tar 256MB    # bytes a shard at most
            """
    )

    @Argument(help: "The dataset's folder.", completion: .directory)
    var path: String

    @Option(name: .customLong("out"), help: "The folder to write: new, or empty.", completion: .directory)
    var output: String

    @Option(help: "The splits and their shares, which make 1. (default: \(ShareList.usual.defaultValueDescription))")
    var shares: ShareList?

    @Option(help: "Decides what is left to chance.")
    var seed: UInt64 = 1

    @Option(help: .value("size", "Write tar shards of so many pictures, or of a size such as 256MB, at most."))
    var tar: ShardLimit?

    func validate() throws {
        if tar != nil, shares != nil {
            throw ValidationError("--tar leaves the splits as they are; write the --shares first, and shards of that")
        }
    }

    func run() throws {
        let folder = URL(filePath: output)
        if let tar {
            let dataset = try ShardWriting.write(path, into: folder, limit: tar)
            print(dataset.digest)
            let count = NumberText.count(dataset.store.shards.count, "shard")
            return Console.standardError("\(DatasetText.summary(dataset)), in \(count) in \(output)")
        }
        let shares = (shares ?? .usual).shares
        let dataset = try DatasetSplitting.split(path, into: folder, shares: shares, seed: seed)
        print(Self.table(dataset.samples, shares), terminator: "")
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

struct DatasetIndex: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Makes a dataset of tar archives that another program wrote.",
        discussion: """
            Reads the archives (*.tar) of a folder as WebDataset has them: KEY.jpg, KEY.png or KEY.heic and KEY.json belong \
            together. KEY.json has the fields of a line of labels; id is KEY and image the picture's name unless it states \
            them. Writes samples.jsonl, shelves.jsonl and shards.json, the place of every picture, beside the archives. Nothing \
            is unpacked or changed; a damaged archive is refused with the byte where it is.

              spinebench dataset index my-shards && spinebench dataset digest my-shards --write
            """
    )

    @Argument(help: "The folder with the archives.", completion: .directory)
    var path: String

    func run() throws {
        try ShardIndexing.index(URL(filePath: path))
        let dataset = try DatasetLoader().load(path)
        DatasetText.tell(dataset.warnings)
        print(DatasetText.summary(dataset))
        Console.standardError("So that changes are noticed: spinebench dataset digest \(path) --write")
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
