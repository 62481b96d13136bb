import ArgumentParser
import Basics
import CommandSupport
import DatasetExchange
import Documents
import Foundation
import SpineDatasets
import Systems

struct DatasetSplit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split",
        abstract: "Split a dataset into train, dev and test, keeping photos together.",
        discussion: """
            Example:

              spinebench dataset split photos --out photos-split --shares train=0.7,dev=0.1,test=0.2

            Writes a copy. A later sample changes almost none of the other assignments. Manual: \
            Docs/DATASETS.md#check-split-and-draw.
            """
    )

    @Argument(help: "Dataset folder.", completion: .directory)
    var path: String

    @Option(name: .customLong("out"), help: "Output folder: new or empty.", completion: .directory)
    var output: String

    @Option(help: "Splits and their shares, which sum to 1.")
    var shares = ShareList([("train", 0.7), ("dev", 0.1), ("test", 0.2)])

    @Option(help: "Random seed.")
    var seed: UInt64 = 1

    func run() throws {
        let folder = URL(filePath: output)
        let shares = shares.shares
        let dataset = try DatasetSplitting.split(path, into: folder, shares: shares, seed: seed)
        print(Self.table(dataset.samples, shares), terminator: "")
        Console.standardError("\(DatasetText.summary(dataset)), in \(output)")
        Console.standardError("Show the contents of each part: spinebench dataset stats \(output)")
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
        abstract: "Merge several datasets into one.",
        discussion: """
            Example:

              spinebench dataset merge photos-1 photos-2 --out photos

            Colliding ids, groups and pictures get their dataset's name as prefix. Duplicate pictures are reported \
            and kept.
            """
    )

    @Argument(help: "Dataset folders, at least two.", completion: .directory)
    var paths: [String]

    @Option(name: .customLong("out"), help: "Output folder: new or empty.", completion: .directory)
    var output: String

    @Option(help: "Name of the merged dataset. (default: the folder's name)")
    var name: String?

    @Flag(name: .customLong("no-rename"), help: "Fail when names collide.")
    var noRename = false

    func validate() throws {
        if paths.count < 2 {
            throw ValidationError("Specify at least two datasets: spinebench dataset merge DIR DIR --out DIR")
        }
    }

    func run() throws {
        var merging = DatasetMerging(mayRename: !noRename)
        let folder = URL(filePath: output)
        let dataset = try merging.merge(paths, into: folder, name: name ?? folder.lastPathComponent)
        for (path, renamings) in Dictionary(grouping: merging.renamings, by: \.path).sorted(by: { $0.key < $1.key }) {
            let example = renamings[0]
            Console.standardError(
                "\(path): \(NumberText.count(renamings.count, "name")) already used and renamed: \(example.field) "
                    + "\"\(example.from)\" to \"\(example.to)\"" + (renamings.count > 1 ? ", …" : "")
            )
        }
        DatasetText.tell(dataset.warnings)
        print(DatasetText.summary(dataset))
        print(dataset.digest)
        Console.standardError("Split it: spinebench dataset split \(output) --out DIR")
    }
}

/// Splits with their shares: "train=0.7,dev=0.1,test=0.2".
struct ShareList: ExpressibleByArgument {
    var shares: [SplitPlan.Share]

    init(_ shares: [(String, Double)]) {
        self.shares = shares.map { SplitPlan.Share(name: $0.0, share: $0.1) }
    }

    init?(argument: String) {
        var shares: [SplitPlan.Share] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", omittingEmptySubsequences: false)
            let name = pair[0].trimmingCharacters(in: .whitespaces)
            guard pair.count == 2, !name.isEmpty, !shares.contains(where: { $0.name == name }),
                let share = Double(pair[1].trimmingCharacters(in: .whitespaces)), share > 0, share <= 1
            else { return nil }
            shares.append(SplitPlan.Share(name: name, share: share))
        }
        // A thousandth for shares as 0.333.
        guard abs(shares.reduce(0) { $0 + $1.share } - 1) <= 0.001 + 1e-9 else { return nil }
        self.shares = shares
    }

    var defaultValueDescription: String { shares.map { "\($0.name)=\($0.share)" }.joined(separator: ",") }
}
