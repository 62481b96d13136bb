import ArgumentParser
import Documents
import Foundation
import SpineDatasets

/// `spinebench dataset split`: copies a dataset with a split for each sample.
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
        let dataset = try DatasetSplitting.split(
            path,
            into: URL(filePath: output),
            shares: shares.shares,
            seed: seed
        )
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
                    cell(
                        mine.count { $0.category == category },
                        of: samples.count { $0.category == category },
                        share.share
                    )
                }
        }
        let columns =
            ["split", "share", "groups"] + (["spines"] + categories.map(\.rawValue)).map { "\($0) (points off)" }
        return Table(columns: columns, rows: rows).markdown + "\n"
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
