import Foundation
import Imaging
import SpineReaders
import TestSupport
import Testing

@testable import CaptureReading
@testable import Captures

/// Names of what photographs show: `SPINEBENCH_THINGS` is the folder of those that Datasets/things-1 lists, as NAME.png.
@Suite struct ThingNameTests {
    private static let folder = ProcessInfo.processInfo.environment["SPINEBENCH_THINGS"]

    /// Settings were chosen on the half "rules".
    ///
    /// An answer is right where it is one of a photograph's labels, and wrong where it is neither that nor a kind above
    /// one; a photograph without a label has no right answer, and counts.
    @Test(.enabled(if: folder != nil, "SPINEBENCH_THINGS names no folder"), arguments: ["rules", "aside"])
    func oneOfThreeNamesIsRight(half: String) throws {
        let folder = try #require(Self.folder)
        let things = try #require(ThingNamer(folder: Installation.modelDirectory), "\(ThingNamer.missing)")
        let list = Project.folder.appending(path: "Datasets/things-1/photographs.tsv")
        var (three, notSurelyWrong) = (Quality(), Quality())
        for line in try String(contentsOf: list, encoding: .utf8).split(separator: "\n").dropFirst() {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(fields.count == 6, "\(line)")
            guard fields[1] == half else { continue }
            var (labels, kinds) = (Set<String>(), Set<String>())
            for label in fields[2] == "-" ? [] : fields[2].components(separatedBy: ", ") {
                // With a star, all kinds of it are right.
                let name = label.hasSuffix("*") ? String(label.dropLast()) : label
                try #require(ThingTree.standard.has(name), "no such name: \(name)")
                labels.insert(name)
                if label.hasSuffix("*") { labels.formUnion(ThingTree.standard.names(below: name)) }
                kinds.formUnion(ThingTree.standard.kinds(of: name))
            }
            let image = try ImageCodec.decode(contentsOf: "\(folder)/\(fields[0]).png").image.fitted(to: 1_024)
            guard let seen = try ThingNamer.sift(image, things).1 else { continue }
            let text = "\(fields[0]): \(seen.answers.map { "\($0.name) \($0.confidence)" })"
            three.add(seen.answers.contains { labels.contains($0.name) }, text)
            let label = seen.label.flatMap { $0.confidence >= 0.8 ? $0.name : nil }
            notSurelyWrong.add(label.map { labels.union(kinds).contains($0) } ?? true, text)
        }
        three.expect("one of three names right, \(half)", atLeast: 60)
        notSurelyWrong.expect("no wrong name with a confidence of 0.8, \(half)", atLeast: 95)
    }
}
