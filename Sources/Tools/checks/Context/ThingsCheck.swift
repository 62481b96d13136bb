import ArgumentParser
import Basics
import CaptureReading
import Captures
import Foundation
import Imaging
import SpineReaders

struct ThingsCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "things",
        abstract: "Measure how often what a photograph shows is named rightly.",
        discussion: """
            The folder has the photographs that Datasets/things-1/photographs.tsv names, as NAME.png; its card lists the \
            packages. An answer is right where it is one of a photograph's labels; wrong where it is neither that nor a kind \
            above one. A photograph without a label has no right answer, and counts. The exit code is 1 when fewer than 60 % have a right \
            answer among three, or more than 5 % a wrong one with a confidence of 0.8.
            """
    )

    @Argument(help: "The folder of photographs.") var folder: String
    @Option(help: "List of photographs.") var list = "Datasets/things-1/photographs.tsv"
    @Option(help: "Half: rules (settings were chosen on it) or aside.") var half = "rules"
    @Flag(help: "Print each photograph's answers.") var each = false
    @Option(help: "Folder for the cut-out subjects, as NAME.png.") var cutouts: String?

    /// A photograph with its labels.
    private struct Photograph {
        var name: String
        var labels: Set<String> = []
        /// Kinds above its labels: true, and not specific enough.
        var kinds: Set<String> = []
        /// Whether it is a thing on white, cut out of its photograph.
        var isStamp: Bool { name.hasPrefix("stamp-") }
    }

    private struct Tally {
        var (count, first, three, sure, wrong, known, cut) = (0, 0, 0, 0, 0, 0, 0)
    }

    func run() async throws {
        guard let things = ThingNamer(folder: Installation.modelDirectory) else {
            throw CheckFailure(ThingNamer.missing)
        }
        let photographs = try read()
        var tallies: [String: Tally] = [:]
        var times: [Double] = []
        let clock = ContinuousClock()
        for photograph in photographs {
            let image = try ImageCodec.decode(contentsOf: "\(folder)/\(photograph.name).png").image.fitted(to: 1_024)
            let start = clock.now
            let (subject, thing) = try ThingNamer.sift(image, things)
            guard let seen = thing else { continue }
            times.append(start.duration(to: clock.now) / .milliseconds(1))
            let isRight = seen.answers.map { photograph.labels.contains($0.name) }
            let label = seen.label
            let isSure = (label?.confidence ?? 0) >= 0.8
            let isWrong = label.map { !photograph.labels.union(photograph.kinds).contains($0.name) } ?? false
            for group in [
                "all", photograph.isStamp ? "cut out on white" : "photographs",
                photograph.labels.isEmpty ? "no right answer" : "with one",
            ] {
                var tally = tallies[group] ?? Tally()
                tally.count += 1
                if isRight.first == true { tally.first += 1 }
                if isRight.contains(true) { tally.three += 1 }
                if label != nil { tally.known += 1 }
                if isWrong { tally.wrong += 1 }
                if isWrong, isSure { tally.sure += 1 }
                if subject != nil { tally.cut += 1 }
                tallies[group] = tally
            }
            if each {
                let answers = zip(seen.answers, isRight)
                    .map { "\($0.name) \(String(format: "%.2f", $0.confidence))\($1 ? " right" : "")" }
                let given = label.map { "\($0.name) \(String(format: "%.2f", $0.confidence))" } ?? "not known"
                print(
                    "\(photograph.name)\t\(given)\(isWrong ? " WRONG" : "")\t\(answers.joined(separator: ", "))\t\(subject.map { String(format: "%.2f", $0.share) } ?? "-")"
                )
            }
            if let cutouts, let subject {
                try Data(subject.cutOut(of: image)).write(to: URL(filePath: "\(cutouts)/\(photograph.name).png"))
            }
        }
        print(
            "| \(half) half | n | first right | one of three right | labelled | label wrong | wrong, 0.8 sure | subject |"
        )
        print("|---|--:|--:|--:|--:|--:|--:|--:|")
        for group in ["all", "photographs", "cut out on white", "with one", "no right answer"] {
            guard let tally = tallies[group] else { continue }
            func cell(_ count: Int) -> String { "\(count): \(Proportion(successes: count, trials: tally.count).text)" }
            let cells = [tally.first, tally.three, tally.known, tally.wrong, tally.sure, tally.cut].map(cell)
            print("| \(group) | \(tally.count) | \(cells.joined(separator: " | ")) |")
        }
        times.sort()
        print(
            "sifting and naming: \(times.isEmpty ? 0 : Int(times[times.count / 2])) ms a picture at the median, one thread"
        )
        let all = tallies["all"] ?? Tally()
        try end([], isGood: all.three * 10 >= all.count * 6 && all.sure * 20 <= all.count)
    }

    private func read() throws -> [Photograph] {
        let lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").dropFirst()
        return try lines.compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 6 else { throw CheckFailure("\(list): expected six columns: \(line)") }
            guard fields[1] == half else { return nil }
            var photograph = Photograph(name: fields[0])
            for label in fields[2] == "-" ? [] : fields[2].components(separatedBy: ", ") {
                let name = label.hasSuffix("*") ? String(label.dropLast()) : label
                guard ThingTree.standard.has(name) else { throw CheckFailure("\(list): no such name: \(name)") }
                photograph.labels.insert(name)
                if label.hasSuffix("*") { photograph.labels.formUnion(ThingTree.standard.names(below: name)) }
                photograph.kinds.formUnion(ThingTree.standard.kinds(of: name))
            }
            return photograph
        }
    }
}

extension Proportion {
    /// Rate and interval, "71.8 % [62.5, 79.6]".
    fileprivate var text: String {
        let rate = String(format: "%.1f %%", 100 * Double(successes) / Double(max(1, trials)))
        guard let interval else { return rate }
        return rate + String(format: " [%.1f, %.1f]", 100 * interval.lowerBound, 100 * interval.upperBound)
    }
}
